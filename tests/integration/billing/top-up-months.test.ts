import { expect, test } from "vitest";
import { connectDb, type Database } from "~/db.server";
import { getBalance } from "~/models/credits/balance.server";
import { PACK } from "../../fixtures/sold";
import { setUpBillingEnv } from "../../helpers/billing";
import { createLot } from "../../helpers/credits";
import { installFakeClock } from "../../helpers/fake-clock";
import { interject } from "../../helpers/held-transaction";
import { silenceLog } from "../../helpers/silence-log";
import { createTestDatabase } from "../../helpers/test-database";
import {
  COST,
  createOwner,
  doJobs,
  moneyOf,
  openTopUpShop,
  spend,
  statusesOf,
  TOP_UP_ENV,
} from "../../helpers/top-ups";

setUpBillingEnv(TOP_UP_ENV);
silenceLog();

/** A database whose clock stands at a time, and can be moved. */
async function withClock(start: string) {
  const url = await createTestDatabase();
  await installFakeClock(url, new Date(start));
  const db = connectDb(url);
  // The defaults name PostgreSQL's own clock.
  await db.$executeRaw`ALTER TABLE metered_runs ALTER COLUMN created_at SET DEFAULT public.now()`;
  await db.$executeRaw`ALTER TABLE top_ups ALTER COLUMN created_at SET DEFAULT public.now()`;
  const setClock = (at: string) => db.$executeRaw`UPDATE fake_clock SET at = ${at}::timestamptz`;
  return { db, setClock };
}

const spentIn = (db: Database, accountId: string, month: string) =>
  db.topUp.count({
    where: {
      ...{ accountId, status: { in: ["asked", "unknown", "paid"] } },
      askedAt: { gte: new Date(`${month}-01T00:00:00Z`) },
    },
  });

test("at the turn of the month the maximum is there anew, and an attempt isn't asked for again in another month", async () => {
  const { db, setClock } = await withClock("2026-10-31T23:50:00Z");
  const shop = await openTopUpShop(db);
  const owner = await createOwner(shop, { runs: 4, mark: 4, packs: 1 });
  const { accountId, customerId } = owner;
  await spend(db, accountId);
  await shop.control("PUT", "/charges/answers", { lost: "before" });
  await doJobs(db, accountId, shop.cards);
  await shop.control("PUT", "/charges/answers", {});
  expect(await statusesOf(db, accountId)).toEqual(["unknown"]);
  // Its call would be of November, and count in October.
  await setClock("2026-11-01T00:01:00Z");
  await doJobs(db, accountId, shop.cards, { again: true });
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 0 });
  await setClock("2026-11-01T00:10:00Z");
  await doJobs(db, accountId, shop.cards, { again: true });
  expect(await statusesOf(db, accountId)).toEqual(["canceled: never_charged", "asked"]);
  expect(await spentIn(db, accountId, "2026-11")).toBe(1);
  await shop.deliver(...(await shop.sent()));
  const crossAgain = async () => {
    while ((await getBalance(accountId, db)) >= owner.terms.threshold) await spend(db, accountId);
    await doJobs(db, accountId, shop.cards);
  };
  await crossAgain();
  expect((await statusesOf(db, accountId)).at(-1)).toBe("canceled: monthly_amount");
  await setClock("2026-12-01T00:00:00Z");
  await createLot(db, accountId, COST);
  await crossAgain();
  expect((await statusesOf(db, accountId)).at(-1)).toBe("asked");
  expect(await moneyOf(shop, customerId)).toEqual({
    charges: 2,
    taken: 2 * PACK.amount,
    returned: 0,
  });
  await db.$disconnect();
});

test("a call that was decided on in the old month doesn't leave in the new one", async () => {
  const { db, setClock } = await withClock("2026-10-31T23:59:50Z");
  const shop = await openTopUpShop(db);
  const { accountId, customerId } = await createOwner(shop, { runs: 2, mark: 2, packs: 1 });
  await spend(db, accountId);
  await doJobs(db, accountId, {
    ...shop.cards,
    async findPrice(skuKey) {
      const price = await shop.cards.findPrice(skuKey);
      // Between the transaction that decides and the look before the call.
      interject("COMMIT", () => setClock("2026-11-01T00:00:05Z"));
      return price;
    },
  });
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 0 });
  await setClock("2026-11-01T00:20:00Z");
  await doJobs(db, accountId, shop.cards, { again: true });
  expect(await statusesOf(db, accountId)).toEqual(["canceled: never_charged", "asked"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
  expect(await spentIn(db, accountId, "2026-11")).toBe(1);
  await db.$disconnect();
});
