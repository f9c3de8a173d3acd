import { expect, test } from "vitest";
import { getBalance } from "~/models/credits/balance.server";
import { bookDueExpiries, bookExpiries } from "~/models/credits/expiries.server";
import { listFaults } from "~/models/credits/faults.server";
import { grantCredits } from "~/models/credits/grants.server";
import { refundSpend } from "~/models/credits/refunds.server";
import { spendCredits } from "~/models/credits/spends.server";
import {
  connectPatiently,
  createUser,
  createUserWith,
  DAY,
  HOUR,
  inFuture,
  listRemaining,
  openLedger,
  passTime,
} from "../../helpers/credits";

const ledger = openLedger();

/**
 * Runs this many at once over two clients, like two processes. Returns how often each status came.
 */
async function race(
  times: number,
  work: (index: number, db: typeof ledger.db) => Promise<{ status: string }>,
): Promise<Record<string, number>> {
  const other = connectPatiently(ledger.url);
  try {
    const results = await Promise.all(
      Array.from({ length: times }, (_, index) => work(index, index % 2 ? other : ledger.db)),
    );
    const counts: Record<string, number> = {};
    for (const { status } of results) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  } finally {
    await other.$disconnect();
  }
}

test("of 50 spends at once on a balance for 10, exactly 10 succeed", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, [25, DAY], [25, 2 * DAY], 25, 25);
  const counts = await race(50, (index, client) =>
    spendCredits({ userId, amount: 10, source: `generation:a${index}` }, client),
  );
  expect(counts).toEqual({ spent: 10, insufficient: 40 });
  expect(await getBalance(userId, db)).toBe(0);
  expect(await listRemaining(db, userId)).toEqual([0, 0, 0, 0]);
  expect(await listFaults([userId], db)).toEqual([]);
});

test("of 20 spends at once with one source, one is charged", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 100);
  const counts = await race(20, (_, client) =>
    spendCredits({ userId, amount: 10, source: "generation:b" }, client),
  );
  expect(counts).toEqual({ spent: 1, duplicate: 19 });
  expect(await getBalance(userId, db)).toBe(90);
});

test("of 20 grants at once with one source, to a user without an account, one is given", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const counts = await race(20, (_, client) =>
    grantCredits({ userId, amount: 10, source: "order:stripe:c", expiresAt: null }, client),
  );
  expect(counts).toEqual({ granted: 1, duplicate: 19 });
  expect(await getBalance(userId, db)).toBe(10);
});

test("of 20 refunds at once of one spend, one is given", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 10);
  await spendCredits({ userId, amount: 7, source: "generation:d" }, db);
  const counts = await race(20, (_, client) => refundSpend({ source: "generation:d" }, client));
  expect(counts).toEqual({ refunded: 1, duplicate: 19 });
  expect(await getBalance(userId, db)).toBe(10);
});

test("of 20 bookings and sweeps at once, one books the expiry", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, [10, HOUR]);
  await passTime(db, userId, DAY);
  let booked = 0;
  await race(20, async (index, client) => {
    const sweeps = index % 4 > 1;
    const { lots } = await (sweeps
      ? bookDueExpiries({ limit: 10 }, client)
      : bookExpiries(userId, client));
    booked += lots;
    return { status: "booked" };
  });
  expect(booked).toBe(1);
  expect(await listFaults([userId], db)).toEqual([]);
});

test("everything at once on a few accounts ends without a deadlock and with sound books", async () => {
  const { db } = ledger;
  const userIds = await Promise.all(
    Array.from({ length: 4 }, () => createUserWith(db, [40, HOUR], [40, 3 * DAY], 40)),
  );
  for (const userId of userIds) {
    await spendCredits({ userId, amount: 50, source: `generation:e:${userId}` }, db);
    await passTime(db, userId, 2 * HOUR);
  }
  const counts = await race(160, (index, client) => {
    const userId = userIds[(index >> 1) % userIds.length] ?? "";
    switch ((index >> 3) % 5) {
      case 0:
        return spendCredits({ userId, amount: 9, source: `generation:e${index}` }, client);
      case 1:
        return grantCredits(
          { userId, amount: 3, source: `order:stripe:e${index}`, expiresAt: inFuture(-HOUR) },
          client,
        );
      case 2:
        return refundSpend({ source: `generation:e:${userId}` }, client);
      case 3:
        return bookDueExpiries({ limit: 10 }, client).then(() => ({ status: "swept" }));
      default:
        return client.$transaction(async (transaction) => {
          await spendCredits({ userId, amount: 2, source: `generation:e${index}:x` }, transaction);
          return spendCredits({ userId, amount: 2, source: `generation:e${index}:y` }, transaction);
        });
    }
  });
  expect(counts).toMatchObject({ granted: 32, refunded: 4, swept: 32 });
  expect(await listFaults(userIds, db)).toEqual([]);
});
