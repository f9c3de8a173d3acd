import { expect, onTestFinished, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { bookDueExpiries } from "~/models/credits/expiries.server";
import { rejectReplacedFiles } from "~/models/files/sweeps.server";
import { endStaleRuns } from "~/models/metering/stale-runs.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { setUpBillingEnv } from "../../helpers/billing";
import {
  createLot,
  createUser,
  createUserWith,
  DAY,
  openLedger,
  passTime,
} from "../../helpers/credits";
import { chargeImages } from "../../helpers/image-runs";

setUpBillingEnv();
const ledger = openLedger();

/** Refuses every new ledger row of this user until the test ends. */
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

test("a stale run that can't be refunded doesn't block the other refunds", async () => {
  const [bad, good] = [
    await createUserWith(ledger.db, CREDITS_PER_IMAGE),
    await createUserWith(ledger.db, CREDITS_PER_IMAGE),
  ];
  for (const userId of [bad, good]) {
    await chargeImages(ledger.db, userId, { prompt: "x", n: 1, size: "square" });
  }
  // The bad user's row is the longest overdue.
  await ledger.db.$executeRaw`
    UPDATE metered_runs SET lease_until = lease_until - CASE
      WHEN account_id = ${bad}::uuid THEN interval '2 days' ELSE interval '1 day' END`;
  await breakLedgerOf(bad);
  await expect(endStaleRuns({ limit: 10 }, ledger.db)).rejects.toThrow(/no refund for/);
  expect(await Promise.all([bad, good].map(balanceOf))).toEqual([0, CREDITS_PER_IMAGE]);
});

test("an account whose expiry can't be booked doesn't block the others", async () => {
  const [bad, good] = [await createUser(ledger.db), await createUser(ledger.db)];
  for (const userId of [bad, good]) await createLot(ledger.db, userId, 10, DAY);
  await passTime(ledger.db, bad, 3 * DAY);
  await passTime(ledger.db, good, 2 * DAY);
  await breakLedgerOf(bad);
  await expect(bookDueExpiries({ limit: 10 }, ledger.db)).rejects.toThrow(/not booked for/);
  expect(await Promise.all([bad, good].map(balanceOf))).toEqual([10, 0]);
});

test("a file whose object the store refuses to show doesn't block the other checks", async () => {
  const userId = await createUser(ledger.db);
  const createFile = (key: string) =>
    ledger.db.file.create({
      data: {
        userId,
        key,
        filename: "a.png",
        contentType: "image/png",
        size: 1,
        access: "private",
        status: "confirmed",
        etag: "before",
      },
    });
  const [bad, good] = [await createFile("bad"), await createFile("good")];
  await ledger.db.$executeRaw`UPDATE files SET created_at = created_at - interval '1 day'`;
  const removed: string[] = [];
  const store: Pick<ObjectStore, "head" | "delete"> = {
    head: async ({ key }: { key: string }) => {
      if (key === "bad") throw new Error("access denied");
      return { size: 1, contentType: "image/png", isAttachment: false, etag: "after" };
    },
    delete: async ({ key }: { key: string }) => void removed.push(key),
  };
  await expect(
    rejectReplacedFiles({ store: store as ObjectStore, limit: 10 }, ledger.db),
  ).rejects.toThrow(bad.id);
  expect(removed).toEqual(["good", "good-320.webp", "good-640.webp"]);
  expect(await ledger.db.file.findUnique({ where: { id: good.id } })).toMatchObject({
    status: "rejected",
  });
});
