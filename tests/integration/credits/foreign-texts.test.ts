import { expect, test } from "vitest";
import { listMovements } from "~/models/accounts/movements.server";
import { readAccountView } from "~/models/credits/account-view.server";
import { adjustCredits } from "~/models/credits/adjustments.server";
import { findRows } from "~/models/credits/find-rows.server";
import { listLotUses, readLots } from "~/models/credits/lot-uses.server";
import { refundSpend } from "~/models/credits/refunds.server";
import { spendCredits } from "~/models/credits/spends.server";
import { readStory } from "~/models/credits/story.server";
import { createUserWith, openLedger } from "../../helpers/credits";

const ledger = openLedger();

const DASHES = "-".repeat(36);
const DIGITS = "9".repeat(21);

// Almost an id: too many digits for a bigint, characters of a UUID in another order, a part of one.
const TEXTS = [DIGITS, `x ${DIGITS}`, DASHES, "a".repeat(36), `${"a".repeat(8)}-`, ":", "0", ""];

test("what an operator writes as key, reason or name leaves every list of the account readable", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 100);
  for (const text of TEXTS) {
    const own = { userId, reason: text, operator: text };
    await adjustCredits({ ...own, amount: 5, key: text }, db);
    await adjustCredits({ ...own, amount: -1, key: `${text} taken` }, db);
  }
  await expectReadable(userId, 1 + 2 * TEXTS.length);
});

test("a source that is almost a run's belongs to no run, and is readable", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 100);
  for (const prefix of ["generation", "run"])
    for (const text of TEXTS) {
      const source = `${prefix}:${text}:${DIGITS}`;
      await spendCredits({ userId, amount: 1, source }, db);
      await refundSpend({ source }, db);
    }
  const rows = await expectReadable(userId, 1 + 4 * TEXTS.length);
  expect(rows.filter(({ run }) => run !== null)).toEqual([]);
});

/** Every list shows so many rows. Returns them. */
async function expectReadable(userId: string, count: number) {
  const { db } = ledger;
  const { transactions } = await readAccountView({ userId, cursor: null }, db);
  expect(transactions).toHaveLength(count);
  const { movements } = await listMovements({ userId, kind: "all", cursor: null }, db);
  expect(movements).toHaveLength(count);
  expect(await all(readStory({ userId }, db))).toHaveLength(count);
  const lots = await all(readLots({ userId, until: transactions[0]?.id ?? "" }, db));
  expect((await listLotUses({ userId, cursor: null }, db)).lots).toHaveLength(lots.length);
  for (const { id, source } of transactions) {
    expect(await findRows(source, db)).toMatchObject([{ id }]);
    expect(await findRows(id, db)).toMatchObject([{ id }]);
  }
  return transactions;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
