import { expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { adjustCredits } from "~/models/credits/adjustments.server";
import { spendCredits } from "~/models/credits/spends.server";
import { reportMonth } from "~/models/figures/month-report.server";
import { parseMonth } from "~/models/figures/months";
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
  // An operator's key may look like the service's own.
  const operator = "ann";
  const sorry = { userId, amount: 3, key: "returned:ticket-1", reason: "Sorry", operator };
  expect((await adjustCredits(sorry, db)).status).toBe("adjusted");
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
      ...{ opening: 0, sold: PACK.credits, granted: 7, adjusted: 3 },
      ...{ spent: -SPENT, expired: 0, returned: 0, closing: left + 10 },
    },
    revenue: [
      { month: MONTH, product: PACK.skuKey, currency: CURRENCY, paid: 500, returned: 0, net: 500 },
    ],
    outstanding: [
      { product: PACK.skuKey, credits: left, currency: CURRENCY, worth },
      { product: "free", credits: 10, currency: null, worth: 0 },
    ],
  });
  const lines = csv.stdout.trim().split("\n");
  expect(lines[0]).toBe("part,item,product,currency,credits,amount");
  expect(lines).toContain(`credits,closing,,,${left + 10},`);
  expect(lines.some((line) => line.startsWith(`revenue,net,${PACK.skuKey},${CURRENCY},,`))).toBe(
    true,
  );
  expect(text.stdout).toMatch(new RegExp(`^${PACK.skuKey} +${written(500)} `, "m"));
  expect(text).toMatchObject({ code: 0, stderr: "" });

  await withBroken(BROKEN["a movement's amount"]?.sql ?? "", async () => {
    const broken = await run("--month", MONTH);
    expect(broken).toMatchObject({ code: 1, stdout: "" });
    expect(broken.stderr).toContain(
      `the opening and the month's rows make ${left + 9} credits, the balances after the last rows are ${left + 10}`,
    );
    expect(broken.stderr).toContain(`report: ${MONTH} doesn't add up`);
  });
});

const FLOW = /^the opening and the month's rows make \d+ credits/;
const LOTS = /^the lots held \d+ credits/;
const PRODUCT = /^the lots of \S+ held -\d+ credits/;

const ENTRY = "(SELECT id FROM credit_transactions WHERE type = 'deduction')";
/** The lot that nobody paid for. */
const OTHER_LOT =
  "(SELECT id FROM credit_transactions WHERE remaining IS NOT NULL AND reference IS NULL)";

/** Faults that the rows of a month can have, and the sentences that tell of them. */
const BROKEN: Record<string, { sql: string; says: RegExp[] }> = {
  "a movement's amount": {
    sql: `UPDATE credit_transactions SET amount = amount - 1 WHERE id = ${ENTRY}`,
    says: [FLOW],
  },
  "the balance after the last movement": {
    sql: `UPDATE credit_transactions SET balance_after = balance_after + 1 WHERE id = ${ENTRY}`,
    says: [FLOW, LOTS],
  },
  "what a movement took of a lot": {
    sql: `UPDATE credit_allocations SET amount = amount - 1 WHERE transaction_id = ${ENTRY}`,
    says: [LOTS],
  },
  "the lot that a movement took of": {
    sql: `INSERT INTO credit_allocations (transaction_id, lot_id, amount) VALUES (${ENTRY}, ${OTHER_LOT}, -11);
      UPDATE credit_allocations SET amount = amount + 11 WHERE transaction_id = ${ENTRY} AND lot_id <> ${OTHER_LOT}`,
    says: [PRODUCT],
  },
};

/** Breaks rows past the database's own guards, and puts them right again. */
async function withBroken(sql: string, look: () => Promise<void>): Promise<void> {
  const session = await openSession(ledger.url);
  const tables = ["credit_allocations", "credit_transactions"];
  await session.query("SET session_replication_role = replica");
  for (const table of tables) await session.query(`CREATE TABLE kept_${table} AS TABLE ${table}`);
  try {
    await session.query(sql);
    await look();
  } finally {
    for (const table of tables) {
      await session.query(`DELETE FROM ${table}`);
      await session.query(
        `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept_${table}`,
      );
      await session.query(`DROP TABLE kept_${table}`);
    }
  }
}

test.each(Object.keys(BROKEN))("a month in which %s is wrong doesn't add up", async (name) => {
  const month = parseMonth(MONTH);
  if (!month) throw new Error(`${MONTH} is no month`);
  const { sql, says } = BROKEN[name] ?? { sql: "", says: [] };
  await withBroken(sql, async () => {
    const { differences } = await reportMonth(month, ledger.db);
    expect(differences).toEqual(says.map((sentence) => expect.stringMatching(sentence)));
  });
  expect((await reportMonth(month, ledger.db)).differences).toEqual([]);
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
