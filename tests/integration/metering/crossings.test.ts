import { randomUUID } from "node:crypto";
import fc from "fast-check";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { creditsFor } from "~/catalog";
import { adjustCredits } from "~/models/credits/adjustments.server";
import { getBalance } from "~/models/credits/balance.server";
import { bookExpiries } from "~/models/credits/expiries.server";
import { writeEmail } from "~/models/email-delivery/write-email.server";
import { claimEmail } from "~/models/emails/claims.server";
import { extendRun } from "~/models/metering/extend.server";
import { refundRun } from "~/models/metering/settle.server";
import { tellUntold } from "~/models/metering/untold-crossings.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { createLot, createUserWith, endLot, HOUR, openLedger } from "../../helpers/credits";
import { crossingsWithJobs, doCrossings } from "../../helpers/crossings";
import { chargeImages, reserveImages } from "../../helpers/image-runs";
import { byRun, holdsFor, LAW_TIMEOUT } from "../../helpers/runs";
import { createDueSubscriptions } from "../../helpers/subscriptions";

setUpBillingEnv({ SMTP_URL: "smtp://127.0.0.1:1", EMAIL_FROM: "shop@example.com" });
const ledger = openLedger();
const COST = creditsFor("image", 1);
const REQUEST = { prompt: "a lake", n: 1, size: "square" } as const;

/** An account that has credits for `runs` runs, and wants an email below those for `mark`. */
async function account({ runs, mark }: { runs: number; mark: number }) {
  const { db } = ledger;
  const userId = await createUserWith(db, runs * COST);
  await setMark(userId, mark * COST);
  return userId;
}

const setMark = (accountId: string, lowBalanceCredits: number | null) =>
  ledger.db.accountSettings.upsert({
    where: { accountId },
    create: { accountId, lowBalanceCredits },
    update: { lowBalanceCredits },
  });

const charge = (userId: string) => chargeImages(ledger.db, userId, REQUEST);
const refund = (runId: string) => refundRun({ runId, error: "generation_failed" }, ledger.db);

const jobsOf = (userId: string) => crossingsWithJobs(ledger.db, userId);
const doJobs = (userId: string) => doCrossings(ledger.db, userId);

/** The figures of the account's low-balance emails, oldest first. */
async function balancesTold(userId: string): Promise<number[]> {
  const emails = await ledger.db.outboxEmail.findMany({
    where: { userId, kind: "low_balance" },
    orderBy: { createdAt: "asc" },
  });
  return emails.map(({ data }) => (data as { balance: number }).balance / COST);
}

test("of 100 spends at once across a mark, one puts a job, and one email tells of it", async () => {
  const userId = await account({ runs: 120, mark: 70 });
  await Promise.all(Array.from({ length: 100 }, () => charge(userId)));
  expect(await jobsOf(userId)).toHaveLength(1);
  await Promise.all([doJobs(userId), doJobs(userId)]);
  expect(await balancesTold(userId)).toEqual([20]);
});

test("a refund that lifts the balance and a spend that crosses again make no second one; a new lot does", async () => {
  const userId = await account({ runs: 4, mark: 3 });
  await charge(userId);
  expect(await jobsOf(userId)).toEqual([]);
  const second = await charge(userId);
  await doJobs(userId);
  await refund(second);
  await charge(userId);
  await doJobs(userId);
  expect(await balancesTold(userId)).toEqual([2]);
  await createLot(ledger.db, userId, COST);
  await charge(userId);
  await doJobs(userId);
  expect(await balancesTold(userId)).toEqual([2, 2]);
});

test("an extension crosses, too; what takes credits without a run does not", async () => {
  const { db } = ledger;
  const userId = await account({ runs: 6, mark: 4 });
  const runId = await charge(userId);
  const lotId = await createLot(db, userId, 1, HOUR);
  await endLot(db, lotId);
  await bookExpiries(userId, db);
  await adjustCredits({ userId, amount: -2 * COST, key: randomUUID(), reason: "a mistake" }, db);
  expect(await getBalance(userId, db)).toBe(3 * COST);
  expect(await jobsOf(userId)).toEqual([]);
  expect(await extendRun({ runId, units: 2 }, db)).toMatchObject({ status: "extended" });
  expect(await jobsOf(userId)).toHaveLength(1);
});

test("a crossing that was undone before its job tells nobody, and the mark stays armed", async () => {
  const userId = await account({ runs: 3, mark: 3 });
  await refund(await charge(userId));
  await doJobs(userId);
  expect(await balancesTold(userId)).toEqual([]);
  await charge(userId);
  await doJobs(userId);
  expect(await balancesTold(userId)).toEqual([2]);
});

test("a crossing whose job failed for good is told by maintenance, once", async () => {
  const { db } = ledger;
  const userId = await account({ runs: 3, mark: 3 });
  await charge(userId);
  const age = (minutes: number) =>
    db.$executeRaw`UPDATE crossings SET created_at = now() - make_interval(mins => ${minutes})
      WHERE account_id = ${userId}::uuid`;
  await age(9);
  await tellUntold({ limit: 10 }, db);
  expect(await balancesTold(userId)).toEqual([]);
  await age(11);
  await tellUntold({ limit: 10 }, db);
  await tellUntold({ limit: 10 }, db);
  await doJobs(userId);
  expect(await balancesTold(userId)).toEqual([2]);
});

test("a job that is given again after a refund doesn't arm a mark that was told of", async () => {
  const userId = await account({ runs: 3, mark: 3 });
  const runId = await charge(userId);
  await doJobs(userId);
  await refund(runId);
  await doJobs(userId);
  await charge(userId);
  await doJobs(userId);
  expect(await balancesTold(userId)).toEqual([2]);
});

test("an email about a low balance has the credits of when it is written; it isn't sent once they are there again", async () => {
  const { db } = ledger;
  const userId = await account({ runs: 5, mark: 5 });
  const write = async () => {
    const { id } = await db.outboxEmail.findFirstOrThrow({
      where: { userId },
      orderBy: { createdAt: "desc" },
    });
    const email = await claimEmail(id, db);
    if (!email) throw new Error("the email isn't due");
    return writeEmail(email, db);
  };
  await charge(userId);
  await doJobs(userId);
  await charge(userId);
  const figure = (3 * COST).toLocaleString("en");
  expect(await write()).toMatchObject({ status: "written", content: { figure } });
  await createLot(db, userId, 3 * COST);
  const runId = await charge(userId);
  await charge(userId);
  await doJobs(userId);
  await refund(runId);
  expect(await write()).toMatchObject({ status: "obsolete" });
  // Nobody was told, so the mark is armed.
  await charge(userId);
  await doJobs(userId);
  expect(await balancesTold(userId)).toEqual([4, 4, 4]);
});

test("a spend that takes nothing crosses nothing, and without a mark there is no crossing", async () => {
  const userId = await account({ runs: 1, mark: 2 });
  expect(await reserveImages(ledger.db, userId, { ...REQUEST, n: 2 })).toMatchObject({
    status: "insufficient",
  });
  expect(await jobsOf(userId)).toEqual([]);
  await setMark(userId, null);
  await charge(userId);
  expect(await jobsOf(userId)).toEqual([]);
});

test("grants that are due are issued before anybody is told", async () => {
  const { db } = ledger;
  await createDueSubscriptions(db, 1);
  const { userId } = await db.subscription.findFirstOrThrow({ select: { userId: true } });
  await createLot(db, userId, COST);
  await setMark(userId, 2 * COST);
  await charge(userId);
  expect(await jobsOf(userId)).toHaveLength(1);
  await doJobs(userId);
  expect(await getBalance(userId, db)).toBeGreaterThan(2 * COST);
  expect(await balancesTold(userId)).toEqual([]);
});

test("a crossing wakes the workers once it is committed", async () => {
  const { db, url } = ledger;
  const listener = new pg.Client({ connectionString: url });
  onTestFinished(() => listener.end());
  await listener.connect();
  const heard: (string | undefined)[] = [];
  listener.on("notification", ({ payload }) => heard.push(payload));
  const [{ channel } = { channel: "" }] = await db.$queryRaw<{ channel: string }[]>`
    SELECT 'pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24) AS channel`;
  await listener.query(`LISTEN ${channel}`);
  await charge(await account({ runs: 1, mark: 1 }));
  await expect.poll(() => heard).toEqual(["crossings"]);
});

/** Events of an account, in an order of its own. */
const STEPS = fc.array(fc.constantFrom("spend", "refund", "lot", "job", "on", "off"), {
  minLength: 5,
  maxLength: 30,
});

test("in any history, a mark is told of once per lot", LAW_TIMEOUT, async () => {
  await holdsFor(STEPS, { runs: byRun({ few: 15, many: 400 }) }, async (steps) => {
    const mark = 5;
    const userId = await account({ runs: 7, mark });
    const running: string[] = [];
    // `crossed`: a spend found the mark armed. `told`: its job has run.
    let [balance, isOn, state] = [7, true, "armed"] as [
      number,
      boolean,
      "armed" | "crossed" | "told",
    ];
    const told: number[] = [];
    for (const step of [...steps, "job"]) {
      if (step === "spend" && balance > 0) {
        running.push(await charge(userId));
        balance -= 1;
        if (isOn && balance < mark && state === "armed") state = "crossed";
      } else if (step === "refund") {
        const runId = running.pop();
        if (runId === undefined) continue;
        await refund(runId);
        balance += 1;
      } else if (step === "lot") {
        await createLot(ledger.db, userId, 2 * COST);
        balance += 2;
        state = "armed";
      } else if (step === "job") {
        await doJobs(userId);
        if (state !== "crossed") continue;
        state = isOn && balance < mark ? "told" : "armed";
        if (state === "told") told.push(balance);
      } else if (step === "on" || step === "off") {
        isOn = step === "on";
        await setMark(userId, isOn ? mark * COST : null);
      }
    }
    expect(await balancesTold(userId)).toEqual(told);
  });
});
