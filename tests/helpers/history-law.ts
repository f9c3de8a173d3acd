import { expect } from "vitest";
import type { Database } from "~/db.server";
import { MOVEMENT_KINDS, type Movement, type MovementKind } from "~/models/accounts/movement";
import { listMovements } from "~/models/accounts/movements.server";
import { readLots } from "~/models/credits/lot-uses.server";
import { readStory } from "~/models/credits/story.server";

/** All lines of a kind, page by page. `between` happens after each page. */
export async function readLines(
  {
    userId,
    kind,
    between,
  }: { userId: string; kind: MovementKind; between?: () => Promise<unknown> },
  db: Database,
): Promise<Movement[]> {
  const lines: Movement[] = [];
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor; isFirst = false) {
    const page = await listMovements({ userId, kind, cursor }, db);
    lines.push(...page.movements);
    cursor = page.nextCursor;
    await between?.();
  }
  return lines;
}

/** The ids of the ledger's rows that belong to a line. */
const rowsOf = ({ id, parts }: Movement): string[] =>
  parts.length > 0 ? parts.map((part) => part.id) : [id];

const sumOf = (rows: { amount: number }[]) => rows.reduce((sum, { amount }) => sum + amount, 0);

/**
 * Expects that each row of the user's ledger belongs to exactly one line of the history, and each line to exactly one
 * kind; that lines come to what rows come to; and that each lot is what is left of it and what it paid for.
 */
export async function expectWholeHistory(userId: string, db: Database): Promise<void> {
  const rows = await db.creditTransaction.findMany({ where: { userId }, orderBy: { id: "asc" } });
  const lines = await readLines({ userId, kind: "all" }, db);
  const ids = (found: Movement[]) => found.flatMap(rowsOf).map(Number);
  expect(ids(lines).toSorted((a, b) => a - b)).toEqual(rows.map(({ id }) => Number(id)));
  expect(sumOf(lines)).toBe(sumOf(rows));
  const kinds = MOVEMENT_KINDS.filter((kind) => kind !== "all");
  const parts = await Promise.all(kinds.map((kind) => readLines({ userId, kind }, db)));
  const byId = (found: Movement[]) => found.toSorted((a, b) => Number(b.id) - Number(a.id));
  expect(byId(parts.flat())).toEqual(lines);
  const runs = lines.flatMap(({ run }) => (run ? [run.id] : []));
  expect(new Set(runs).size).toBe(runs.length);
  for (const { id, balanceAfter } of lines)
    expect(balanceAfter).toBe(rows.find((row) => String(row.id) === id)?.balanceAfter);

  const story: string[] = [];
  for await (const { id, amount, remaining, lots } of readStory({ userId }, db)) {
    story.push(id);
    if (remaining === null) expect(sumOf(lots)).toBe(amount);
  }
  expect(story).toEqual(rows.map(({ id }) => String(id)));
  for await (const { amount, remaining, uses } of readLots({ userId, until: "999999999" }, db))
    expect(remaining + uses.reduce((sum, { credits }) => sum + credits, 0)).toBe(amount);
}
