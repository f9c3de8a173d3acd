import { expect, onTestFinished, test } from "vitest";
import { bookDueExpiries } from "~/models/credit-expiries.server";
import { chargeGeneration, refundStaleGenerations } from "~/models/generation-charges.server";
import { setUpBillingEnv } from "../helpers/billing";
import {
  createLot,
  createUser,
  createUserWith,
  DAY,
  openLedger,
  passTime,
} from "../helpers/credits";

setUpBillingEnv();
const ledger = openLedger();

/** Whatever this user's ledger is to take is refused until the test is over. */
async function breakLedgerOf(userId: string): Promise<void> {
  const { db } = ledger;
  await db.$executeRawUnsafe(`
    CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''refused on purpose''; END'`);
  await db.$executeRawUnsafe(`
    CREATE TRIGGER refuse_one BEFORE INSERT ON credit_transactions
    FOR EACH ROW WHEN (NEW.user_id = '${userId}') EXECUTE FUNCTION refuse_one()`);
  onTestFinished(async () => {
    await db.$executeRawUnsafe("DROP FUNCTION refuse_one CASCADE");
  });
}

const balanceOf = async (userId: string) =>
  (await ledger.db.creditAccount.findUniqueOrThrow({ where: { userId } })).balance;

test("a stale generation that cannot be refunded keeps no other from its refund", async () => {
  const [bad, good] = [await createUserWith(ledger.db, 10), await createUserWith(ledger.db, 10)];
  for (const userId of [bad, good]) {
    await chargeGeneration(
      { userId, request: { prompt: "x", n: 1, size: "square" }, idempotencyKey: null },
      ledger.db,
    );
  }
  // The bad one's is the longest overdue.
  await ledger.db.$executeRaw`
    UPDATE image_generations SET lease_until = lease_until - CASE
      WHEN user_id = ${bad}::uuid THEN interval '2 days' ELSE interval '1 day' END`;
  await breakLedgerOf(bad);
  await expect(refundStaleGenerations({ limit: 10 }, ledger.db)).rejects.toThrow(/no refund for/);
  expect(await Promise.all([bad, good].map(balanceOf))).toEqual([0, 10]);
});

test("an account whose expiry cannot be booked keeps no other from its own", async () => {
  const [bad, good] = [await createUser(ledger.db), await createUser(ledger.db)];
  for (const userId of [bad, good]) await createLot(ledger.db, userId, 10, DAY);
  await passTime(ledger.db, bad, 3 * DAY);
  await passTime(ledger.db, good, 2 * DAY);
  await breakLedgerOf(bad);
  await expect(bookDueExpiries({ limit: 10 }, ledger.db)).rejects.toThrow(/not booked for/);
  expect(await Promise.all([bad, good].map(balanceOf))).toEqual([10, 0]);
});
