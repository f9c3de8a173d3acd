import { expect, test } from "vitest";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { grantCredits } from "~/models/credits/grants.server";
import { spendCredits } from "~/models/credits/spends.server";
import { listFigureFaults, makeFigureDays, markDaysDue } from "~/models/figures/figure-days.server";
import { listCreditMonths, listOutstanding } from "~/models/figures/summed-credits.server";
import { PACK, PLAN, PLAN_MONTHLY } from "../../fixtures/sold";
import { applyEvents, newSubscription, packCheckout, setUpBillingEnv } from "../../helpers/billing";
import { createUser, openLedger } from "../../helpers/credits";
import { holdTransaction } from "../../helpers/held-transaction";
import { openSession } from "../../helpers/migrations";
import { expectDaysAddUp } from "../../helpers/month-report";
import { runScript } from "../../helpers/run-script";
import { setClock } from "../../helpers/subscription-world";

setUpBillingEnv();
const day = (text: string) => new Date(`${text}T12:00:00Z`);
const ledger = openLedger({ clock: day("2026-03-01") });

const make = (patience?: number) =>
  makeFigureDays({ limit: 100, ...(patience === undefined ? {} : { patience }) }, ledger.db);

async function listFaults() {
  const faults: { day: string; table: string }[] = [];
  await listFigureFaults(({ day, table }) => faults.push({ day, table }), ledger.db);
  return faults;
}

/** What the credits were worth at the end of a day, by product. */
async function worthOn(name: string) {
  const left = await listOutstanding(name, ledger.db);
  return Object.fromEntries(left.map(({ product, worth }) => [product, worth]));
}

test("a day is summed once it is over and its last writer has committed", async () => {
  const userId = await createUser(ledger.db);
  await setClock(ledger.db, new Date("2026-03-01T23:59:59.9Z"));
  await grantCredits({ userId, amount: 5, source: "test:first", expiresAt: null }, ledger.db);
  expect(await make()).toBe(0);
  const other = await createUser(ledger.db);
  const late = await holdTransaction(ledger.db, (transaction) =>
    grantCredits({ userId: other, amount: 7, source: "test:late", expiresAt: null }, transaction),
  );
  await setClock(ledger.db, day("2026-03-02"));
  expect(await make(0)).toBe(0);
  await late.commit();
  expect(await make()).toBe(1);
  expect(
    await listCreditMonths({ first: "2026-03-01", last: "2026-03-01" }, ledger.db),
  ).toMatchObject([{ granted: 12 }]);
  expect(await make()).toBe(0);
});

test("what a payment cost is told days later: its days are summed again, and nothing drifts", async () => {
  const userId = await createUser(ledger.db);
  const subscription = newSubscription(userId);
  const [start, end] = [day("2026-03-02"), day("2026-04-02")];
  await applyEvents(ledger.db, subscription.changed(start, end, { startedAt: start }));
  await runDueGrants({}, ledger.db);
  await setClock(ledger.db, day("2026-03-03"));
  await spendCredits({ userId, amount: 30, source: "test:spend" }, ledger.db);
  await setClock(ledger.db, day("2026-03-05"));
  expect(await make()).toBe(3);
  expect((await worthOn("2026-03-03"))[PLAN_MONTHLY]).toBeNull();
  await applyEvents(ledger.db, subscription.paid(start, end));
  expect(await listFaults()).toEqual([]);
  expect(await make()).toBeGreaterThanOrEqual(2);
  const { creditsPerMonth } = PLAN;
  expect((await worthOn("2026-03-02"))[PLAN_MONTHLY]).toBe(900);
  expect((await worthOn("2026-03-03"))[PLAN_MONTHLY]).toBe(
    Math.round((900 * (creditsPerMonth - 30)) / creditsPerMonth),
  );
  expect(await listFaults()).toEqual([]);
  await expectDaysAddUp(ledger.db);
});

test("two processes sum a day once between them, and again changes nothing", async () => {
  const userId = await createUser(ledger.db);
  await applyEvents(ledger.db, packCheckout(userId));
  await setClock(ledger.db, day("2026-03-08"));
  const made = await Promise.all([make(), make(), make()]);
  expect(made.reduce((sum, days) => sum + days, 0)).toBe(3);
  const before = await worthOn("2026-03-07");
  expect(before[PACK.skuKey]).toBe(500);
  await markDaysDue({ first: "2026-03-01", last: "2026-03-07" }, ledger.db);
  expect(await make()).toBe(7);
  expect(await worthOn("2026-03-07")).toEqual(before);
  expect(await listFaults()).toEqual([]);
});

test("verify names a summary that isn't the sum of its rows, and `ledger sum` puts it right", async () => {
  const session = await openSession(ledger.url);
  await session.query("UPDATE credit_days SET spent = spent - 1 WHERE day = '2026-03-03'");
  await session.query("DELETE FROM credit_days WHERE day = '2026-03-05'");
  const run = (...args: string[]) =>
    runScript("scripts/ledger/ledger.command.ts", args, { DATABASE_URL: ledger.url });
  const broken = await run("verify");
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(/^figures {2}2026-03-03 {2}credit_days: /m);
  expect(broken.stdout).toMatch(/^figures {2}2026-03-05 {2}credit_days: /m);
  expect(await run("sum", "--from", "2026-03-03", "--to", "2026-03-05")).toMatchObject({ code: 0 });
  expect(await run("verify")).toMatchObject({ code: 0 });
  await expectDaysAddUp(ledger.db);
});
