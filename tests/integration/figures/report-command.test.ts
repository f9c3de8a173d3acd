import { expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { spendCredits } from "~/models/credits/spends.server";
import { PACK, written } from "../../fixtures/sold";
import { applyEvents, packCheckout, setUpBillingEnv } from "../../helpers/billing";
import { createLot, createUser, DAY, openLedger, passTime } from "../../helpers/credits";
import { openSession } from "../../helpers/migrations";
import { runScript } from "../../helpers/run-script";

setUpBillingEnv();
const ledger = openLedger();

const run = (...args: string[]) =>
  runScript("scripts/report/report.command.ts", args, { DATABASE_URL: ledger.url });

/** Lies in a month that is over. */
const THEN = new Date(Date.now() - 40 * DAY);
const SPENT = Math.ceil(PACK.credits / 3);
const MONTH = THEN.toISOString().slice(0, 7);

test("a month is printed as text, CSV and JSON, and one that doesn't add up is refused", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  await applyEvents(db, packCheckout(userId));
  await createLot(db, userId, 7);
  await spendCredits({ userId, amount: SPENT, source: "test:spend" }, db);
  await passTime(db, userId, 40 * DAY);
  await db.order.updateMany({ data: { paidAt: THEN } });
  const left = PACK.credits - SPENT;
  const worth = Math.round((500 * left) / PACK.credits);

  const [json, csv, text] = await Promise.all([
    run("--month", MONTH, "--format", "json"),
    run("--month", MONTH, "--format", "csv"),
    run("--month", MONTH),
  ]);
  expect(JSON.parse(json.stdout)).toEqual({
    month: MONTH,
    credits: {
      ...{ opening: 0, sold: PACK.credits, granted: 7, adjusted: 0 },
      ...{ spent: -SPENT, expired: 0, returned: 0, closing: left + 7 },
    },
    revenue: [
      { month: MONTH, product: PACK.skuKey, currency: CURRENCY, paid: 500, returned: 0, net: 500 },
    ],
    outstanding: [
      { product: PACK.skuKey, credits: left, currency: CURRENCY, worth },
      { product: "free", credits: 7, currency: null, worth: 0 },
    ],
  });
  const lines = csv.stdout.trim().split("\n");
  expect(lines[0]).toBe("part,item,product,currency,credits,amount");
  expect(lines).toContain(`credits,closing,,,${left + 7},`);
  expect(lines.some((line) => line.startsWith(`revenue,net,${PACK.skuKey},${CURRENCY},,`))).toBe(
    true,
  );
  expect(text.stdout).toMatch(new RegExp(`^${PACK.skuKey} +${written(500)} `, "m"));
  expect(text).toMatchObject({ code: 0, stderr: "" });

  const session = await openSession(ledger.url);
  await session.query("SET session_replication_role = replica");
  await session.query(
    "UPDATE credit_transactions SET amount = amount - 1 WHERE type = 'deduction'",
  );
  const broken = await run("--month", MONTH);
  expect(broken).toMatchObject({ code: 1, stdout: "" });
  expect(broken.stderr).toContain(
    `the opening and the month's rows make ${left + 6} credits, the balances after the last rows are ${left + 7}`,
  );
  expect(broken.stderr).toContain(`report: ${MONTH} doesn't add up`);
});

test.each([
  [["--month", "2026-13"], 2, /--month takes a month such as 2026-10, not '2026-13'/],
  [[], 2, /--month takes a month/],
  [["--month", MONTH, "--format", "pdf"], 2, /--format takes text, csv, json, not 'pdf'/],
  [["--month", new Date().toISOString().slice(0, 7)], 1, /isn't over/],
] as const)("%j is refused", async (args, code, says) => {
  const refused = await run(...args);
  expect(refused).toMatchObject({ code, stdout: "" });
  expect(refused.stderr).toMatch(says);
});
