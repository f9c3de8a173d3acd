import { expect, test } from "vitest";
import { bookDueExpiries, bookExpiries } from "~/models/credits/expiries.server";
import { listFaults } from "~/models/credits/faults.server";
import { listTransactions } from "~/models/credits/story.server";
import {
  createUserWith,
  DAY,
  HOUR,
  listRemaining,
  openLedger,
  passTime,
} from "../../helpers/credits";
import { openSession } from "../../helpers/migrations";

const ledger = openLedger();

/** A new user with two expired lots, of 3 and 4 credits, and one of 5 that hasn't expired. */
async function createOverdueUser(): Promise<string> {
  const { db } = ledger;
  const userId = await createUserWith(db, [4, 2 * HOUR], [3, HOUR], [5, 10 * DAY]);
  await passTime(db, userId, DAY);
  return userId;
}

test("each lot that is over is booked once, the one that ended first before the other", async () => {
  const { db } = ledger;
  const userId = await createOverdueUser();
  expect(await bookExpiries(userId, db)).toEqual({ lots: 2, credits: 7 });
  expect(await bookExpiries(userId, db)).toEqual({ lots: 0, credits: 0 });
  const { transactions } = await listTransactions({ userId, cursor: null }, db);
  expect(transactions.slice(0, 2)).toMatchObject([
    { type: "expiry", amount: -4, balanceAfter: 5 },
    { type: "expiry", amount: -3, balanceAfter: 9 },
  ]);
  expect(await listRemaining(db, userId)).toEqual([0, 0, 5]);
  expect(await listFaults([userId], db)).toEqual([]);
});

test("a grant whose time is over already expires like any other", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, [5, -HOUR]);
  expect(await bookExpiries(userId, db)).toEqual({ lots: 1, credits: 5 });
  expect(await listFaults([userId], db)).toEqual([]);
});

test("the sweep records all due expiries up to its account limit, and then finds nothing", async () => {
  const { db } = ledger;
  const userIds = await Promise.all(Array.from({ length: 5 }, createOverdueUser));
  await createUserWith(db, 9);
  expect(await bookDueExpiries({ limit: 2 }, db)).toMatchObject({ accounts: 2 });
  expect(await bookDueExpiries({ limit: 100 }, db)).toMatchObject({ accounts: 3 });
  expect(await bookDueExpiries({ limit: 100 }, db)).toEqual({ accounts: 0, lots: 0, credits: 0 });
  for (const userId of userIds) expect(await listRemaining(db, userId)).toEqual([0, 0, 5]);
  expect(await listFaults(userIds, db)).toEqual([]);
});

test("the sweep skips a locked account and does not wait", async () => {
  const { db, url } = ledger;
  const [busy, idle] = [await createOverdueUser(), await createOverdueUser()];
  const session = await openSession(url);
  await session.query("BEGIN");
  await session.query("SELECT FROM credit_accounts WHERE user_id = $1 FOR UPDATE", [busy]);
  await bookDueExpiries({ limit: 100 }, db);
  expect(await listRemaining(db, busy)).toEqual([4, 3, 5]);
  expect(await listRemaining(db, idle)).toEqual([0, 0, 5]);
  await session.query("ROLLBACK");
  expect(await bookDueExpiries({ limit: 100 }, db)).toMatchObject({ accounts: 1, credits: 7 });
});
