import { expect, test } from "vitest";
import { AUDIT_ACTIONS, type AuditAction, LOOKS, OWN_ACTIONS } from "~/models/audit/audit-actions";
import {
  type AuditRow,
  asOwnRow,
  listAuditRows,
  readAuditRows,
} from "~/models/audit/audit-rows.server";
import { createUser, openLedger } from "../../helpers/credits";

const ledger = openLedger();
const LIMIT = 30;

const ALL = Object.keys(AUDIT_ACTIONS) as AuditAction[];
const isContent = (action: AuditAction) => action === "content_viewed";

/** Rows of one kind must not hide those of another. */
const KINDS: Record<string, AuditAction[]> = {
  "looks at content": ALL.filter(isContent),
  "other looks": LOOKS.filter((action) => !isContent(action)),
  "the person's own acts": [...OWN_ACTIONS],
  "what was done": ALL.filter((action) => ![...LOOKS, ...OWN_ACTIONS].includes(action)),
};

test.each(Object.keys(KINDS))(
  "%s are pushed off the list by no rows of another kind",
  async (kind) => {
    const { db } = ledger;
    const own = KINDS[kind] ?? [];
    expect(own.length).toBeGreaterThan(0);
    const others = ALL.filter((action) => !own.includes(action));
    for (const action of own) {
      const userId = await createUser(db);
      const row = { actor: "operator:test", subjectUserId: userId };
      await db.auditRow.create({ data: { ...row, action } });
      await db.auditRow.createMany({
        data: others.flatMap((other) =>
          Array.from({ length: LIMIT + 1 }, () => ({ ...row, action: other })),
        ),
      });
      const listed = await listAuditRows({ userId, limit: LIMIT }, db);
      expect([action, listed.some((one) => one.action === action)]).toEqual([action, true]);
      // Other people have rows of every kind, too.
      expect(listed.filter(({ subjectUserId }) => subjectUserId !== userId)).toEqual([]);
      expect(listed.length).toBeLessThanOrEqual(2 * LIMIT);
      const ids = listed.map(({ id }) => Number(id));
      expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    }
  },
);

test("the export has each row about its person, of every kind, none about anybody else, and nobody's name", async () => {
  const { db } = ledger;
  const people = [await createUser(db), await createUser(db)];
  const hidden = { actor: "operator:hidden", network: "192.0.2.0", requestId: "hidden-request" };
  for (const subjectUserId of [...people, null])
    await db.auditRow.createMany({
      data: ALL.map((action) => ({ ...hidden, action, subjectUserId, reason: `for ${action}` })),
    });
  for (const userId of people) {
    const rows: AuditRow[] = [];
    for await (const row of readAuditRows({ userId, since: null, until: null }, db)) rows.push(row);
    expect(rows.map(({ action, subjectUserId }) => [action, subjectUserId])).toEqual(
      ALL.map((action) => [action, userId]),
    );
    const own = rows.map(asOwnRow);
    expect(own.map(({ by, reason }) => [by, reason])).toEqual(
      ALL.map((action) => ["support", `for ${action}`]),
    );
    for (const text of Object.values(hidden)) expect(JSON.stringify(own)).not.toContain(text);
  }
});
