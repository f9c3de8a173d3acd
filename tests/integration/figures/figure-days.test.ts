import { expect, test } from "vitest";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { grantCredits } from "~/models/credits/grants.server";
import { spendCredits } from "~/models/credits/spends.server";
import { listFigureFaults, makeFigureDays, markDaysDue } from "~/models/figures/figure-days.server";
import { listCreditMonths, listOutstanding } from "~/models/figures/summed-credits.server";
import { PACK, PLAN, PLAN_MONTHLY } from "../../fixtures/sold";
import { applyEvents, newSubscription, packCheckout, setUpBillingEnv } from "../../helpers/billing";
import { afterSummingUp, createUser, DAY, openLedger, passTime } from "../../helpers/credits";
import { holdTransaction } from "../../helpers/held-transaction";
import { openSession } from "../../helpers/migrations";
import { expectDaysAddUp } from "../../helpers/month-report";
import { runScript } from "../../helpers/run-script";
import { setClock } from "../../helpers/subscription-world";

setUpBillingEnv();
// Defaults of columns keep the real time: rows are written today, and the database's clock moves on to tomorrow.
const NOW = afterSummingUp();
const TOMORROW = new Date(NOW.getTime() + DAY);
const ledger = openLedger({ clock: NOW });
const others = openLedger({ clock: NOW });

const dayOf = (daysAgo: number) =>
  new Date(NOW.getTime() - daysAgo * DAY).toISOString().slice(0, 10);
const make = () => makeFigureDays({ limit: 100 }, ledger.db);

async function listFaults() {
  const faults: { day: string; table: string }[] = [];
  await listFigureFaults(({ day, table }) => faults.push({ day, table }), ledger.db);
  return faults;
}

/** Returns the worth of the credits at the end of a day, by product. */
async function worthOn(day: string) {
  const left = await listOutstanding(day, ledger.db);
  return Object.fromEntries(left.map(({ product, worth }) => [product, worth]));
}

test("a day is summed once it is over and its last writer has committed", async () => {
  const { db } = others;
  const [first, second] = [await createUser(db), await createUser(db)];
  await grantCredits({ userId: first, amount: 5, source: "test:first", expiresAt: null }, db);
  expect(await makeFigureDays({ limit: 9 }, db)).toBe(0);
  const late = await holdTransaction(db, (transaction) =>
    grantCredits({ userId: second, amount: 7, source: "test:late", expiresAt: null }, transaction),
  );
  await setClock(db, TOMORROW);
  expect(await makeFigureDays({ limit: 9, patience: 0 }, db)).toBe(0);
  await late.commit();
  expect(await makeFigureDays({ limit: 9 }, db)).toBe(1);
  const today = { first: dayOf(0), last: dayOf(0) };
  expect(await listCreditMonths(today, db)).toMatchObject([{ granted: 12 }]);
  expect(await makeFigureDays({ limit: 9 }, db)).toBe(0);
});

test("what a payment cost is told days later: its days are summed again, and nothing drifts", async () => {
  const userId = await createUser(ledger.db);
  const subscription = newSubscription(userId);
  const [start, end] = [new Date(NOW.getTime() - DAY / 24), new Date(NOW.getTime() + 30.5 * DAY)];
  await applyEvents(ledger.db, subscription.changed(start, end, { startedAt: start }));
  await runDueGrants({}, ledger.db);
  await applyEvents(ledger.db, packCheckout(userId));
  await passTime(ledger.db, userId, 2 * DAY);
  await spendCredits({ userId, amount: 30, source: "test:spend" }, ledger.db);
  await setClock(ledger.db, TOMORROW);
  expect(await make()).toBe(3);
  expect(await make()).toBe(0);
  expect((await worthOn(dayOf(1)))[PLAN_MONTHLY]).toBeNull();
  await applyEvents(ledger.db, subscription.paid(start, end));
  expect(await listFaults()).toEqual([]);
  expect(await make()).toBeGreaterThanOrEqual(2);
  const { creditsPerMonth } = PLAN;
  expect(await worthOn(dayOf(1))).toEqual({ [PLAN_MONTHLY]: 900, [PACK.skuKey]: 500 });
  expect((await worthOn(dayOf(0)))[PLAN_MONTHLY]).toBe(
    Math.round((900 * (creditsPerMonth - 30)) / creditsPerMonth),
  );
  expect(await listFaults()).toEqual([]);
  await expectDaysAddUp(ledger.db);
});

test("several processes sum each day once between them, and again changes nothing", async () => {
  const before = await worthOn(dayOf(0));
  expect(await markDaysDue({ first: dayOf(9), last: dayOf(0) }, ledger.db)).toBe(3);
  const made = await Promise.all([make(), make(), make()]);
  expect(made.reduce((sum, days) => sum + days, 0)).toBe(3);
  expect(await worthOn(dayOf(0))).toEqual(before);
  expect(await listFaults()).toEqual([]);
});

test("verify names a summary that isn't the sum of its rows, and `ledger sum` puts it right", async () => {
  const session = await openSession(ledger.url);
  await session.query("UPDATE credit_days SET spent = spent - 1 WHERE day = $1", [dayOf(0)]);
  await session.query("DELETE FROM credit_days WHERE day = $1", [dayOf(2)]);
  const run = (...args: string[]) =>
    runScript("scripts/ledger/ledger.command.ts", args, { DATABASE_URL: ledger.url });
  const broken = await run("verify");
  expect(broken.code).toBe(1);
  for (const day of [dayOf(2), dayOf(0)])
    expect(broken.stdout).toContain(`figures  ${day}  credit_days: `);
  expect(await run("sum", "--from", dayOf(2), "--to", dayOf(0))).toMatchObject({
    code: 0,
    stdout: "3 days summed up\n",
  });
  expect((await run("verify")).stdout).not.toContain("figures");
  await expectDaysAddUp(ledger.db);
});
