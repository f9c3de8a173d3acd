import { expect, test } from "vitest";
import { creditsFor } from "~/catalog";
import type { Database } from "~/db.server";
import type { EmailData } from "~/models/emails/email-kinds";
import { extendRun } from "~/models/metering/extend.server";
import { handleCrossing } from "~/models/metering/handle-crossing.server";
import { refundRun } from "~/models/metering/settle.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { connectPatiently, openLedger } from "../../helpers/credits";
import { doCrossings } from "../../helpers/crossings";
import { installFakeClock } from "../../helpers/fake-clock";
import { createLimitedAccount } from "../../helpers/limited-account";
import { createTestDatabase } from "../../helpers/test-database";

setUpBillingEnv({ SMTP_URL: "smtp://127.0.0.1:1", EMAIL_FROM: "shop@example.com" });
const ledger = openLedger();
const COST = creditsFor("image", 1);

/** Returns the numbers in the account's emails about limits, oldest first, in images. */
async function told(userId: string, db: Database = ledger.db) {
  await doCrossings(db, userId);
  const emails = await db.outboxEmail.findMany({
    where: { userId, kind: "monthly_limit" },
    orderBy: [{ createdAt: "asc" }, { key: "asc" }],
  });
  return emails.map(({ data }) => {
    const { apiKeyId, percent, used, month } = data as EmailData["monthly_limit"] & object;
    return { whose: apiKeyId ? "key" : "account", percent, used: used / COST, month };
  });
}

test("of 100 runs at once at the limits, one email tells of each mark that was passed", async () => {
  const { userId, reserve } = await createLimitedAccount(ledger.db, {
    runs: 200,
    own: 20,
    key: 10,
  });
  await Promise.all(Array.from({ length: 100 }, () => reserve(1)));
  expect(await told(userId)).toMatchObject([{ whose: "key", percent: 100, used: 10 }]);
  for (let run = 10; run < 16; run += 1) await reserve(1, false);
  const near = { whose: "account", percent: 80, used: 16 };
  expect((await told(userId))[1]).toMatchObject(near);
  await Promise.all(Array.from({ length: 20 }, () => reserve(1, false)));
  expect(await told(userId)).toMatchObject([
    { whose: "key", percent: 100 },
    near,
    { whose: "account", percent: 100, used: 20 },
  ]);
});

test("a refund that frees a limit, and runs that fill it again, tell nobody twice", async () => {
  const { userId, reserveOne } = await createLimitedAccount(ledger.db, { runs: 50, own: 5 });
  await reserveOne(3);
  const fourth = await reserveOne(1);
  expect(await told(userId)).toMatchObject([{ percent: 80, used: 4 }]);
  await refundRun({ runId: fourth, error: "generation_failed" }, ledger.db);
  await reserveOne(1);
  const fifth = await reserveOne(1);
  const both = [
    { percent: 80, used: 4 },
    { percent: 100, used: 5 },
  ];
  expect(await told(userId)).toMatchObject(both);
  await refundRun({ runId: fifth, error: "generation_failed" }, ledger.db);
  await reserveOne(1);
  expect(await told(userId)).toMatchObject(both);
});

test("a refund before the jobs of both marks leaves the one of 80 %, and none of 80 % comes after 100 %", async () => {
  const { userId, reserveOne } = await createLimitedAccount(ledger.db, { runs: 50, own: 5 });
  await reserveOne(3);
  const two = await reserveOne(2);
  // The job of 80 % sees a full limit, and that of 100 % comes after the refund.
  const [early, full] = await ledger.db.crossing.findMany({
    where: { accountId: userId },
    orderBy: { watcher: "desc" },
  });
  if (!early || !full) throw new Error("two marks were crossed");
  const handle = ({ id: crossingId }: { id: string }) =>
    ledger.db.$transaction((it) => handleCrossing({ crossingId }, it));
  await handle(early);
  await refundRun({ runId: two, error: "generation_failed" }, ledger.db);
  await handle(full);
  expect(await told(userId)).toEqual([]);
  await reserveOne(1);
  const near = { percent: 80, used: 4 };
  expect(await told(userId)).toMatchObject([near]);

  const other = await createLimitedAccount(ledger.db, { runs: 50, own: 5 });
  await other.reserveOne(3);
  const both = await other.reserveOne(2);
  expect(await told(other.userId)).toMatchObject([{ percent: 100, used: 5 }]);
  await refundRun({ runId: both, error: "generation_failed" }, ledger.db);
  await other.reserveOne(1);
  expect(await told(other.userId)).toMatchObject([{ percent: 100, used: 5 }]);
});

test("a run that is refused when little is left tells that the limit is reached; a huge one does not", async () => {
  const { userId, reserve, reserveOne } = await createLimitedAccount(ledger.db, {
    runs: 90,
    key: 6,
  });
  await reserveOne(4);
  expect(await reserve(3)).toMatchObject({ status: "limit_reached", used: 4 * COST });
  expect(await told(userId)).toEqual([]);
  const runId = await reserveOne(1);
  expect(await told(userId)).toMatchObject([{ whose: "key", percent: 80, used: 5 }]);
  expect(await extendRun({ runId, units: 3 }, ledger.db)).toMatchObject({
    status: "limit_reached",
  });
  const both = [
    { whose: "key", percent: 80, used: 5 },
    { whose: "key", percent: 100, used: 5 },
  ];
  expect(await told(userId)).toMatchObject(both);
  expect(await reserve(2)).toMatchObject({ status: "limit_reached" });
  await reserveOne(1);
  expect(await told(userId)).toMatchObject(both);
});

test("a limit that was raised before its job tells nobody, and is told of later", async () => {
  const { userId, reserveOne } = await createLimitedAccount(ledger.db, { runs: 50, own: 4 });
  const setLimit = (images: number) =>
    ledger.db.accountSettings.update({
      where: { accountId: userId },
      data: { monthlyLimit: images * COST },
    });
  await reserveOne(4);
  await setLimit(20);
  expect(await told(userId)).toEqual([]);
  await setLimit(5);
  await reserveOne(1);
  expect(await told(userId)).toMatchObject([{ percent: 100, used: 5 }]);
});

test("100 runs at once across the turn of a month pass neither month's limit, and each month has its emails", async () => {
  const url = await createTestDatabase();
  await installFakeClock(url, new Date("2026-11-30T23:59:59Z"));
  const db = connectPatiently(url);
  // The default names PostgreSQL's own clock.
  await db.$executeRaw`ALTER TABLE metered_runs ALTER COLUMN created_at SET DEFAULT public.now()`;
  const account = await createLimitedAccount(db, { runs: 300, own: 40, key: 30 });
  const { userId, apiKeyId, reserve } = account;
  let done = 0;
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      await reserve(1);
      done += 1;
      if (done === 25) await db.$executeRaw`UPDATE fake_clock SET at = '2026-12-01T00:00:00Z'`;
    }),
  );
  // The clock's turn may have come late.
  while ((await reserve(1)).status === "reserved") done += 1;
  const months = await db.usageMonth.findMany({ where: { apiKeyId }, orderBy: { month: "asc" } });
  const used = months.map(({ credits }) => Number(credits) / COST);
  expect(used[0]).toBeGreaterThanOrEqual(25);
  expect(used[0]).toBeLessThanOrEqual(30);
  expect(used[1]).toBe(30);
  const emails = await told(userId, db);
  expect(emails.filter(({ month }) => month === "2026-12-01")).toMatchObject([
    { whose: "key", percent: 100, used: 30 },
  ]);
  const november = emails.filter(({ month }) => month === "2026-11-01");
  expect(november).toMatchObject([{ whose: "key", percent: used[0] === 30 ? 100 : 80 }]);
  await db.$disconnect();
});
