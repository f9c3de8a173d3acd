import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE, CURRENCY } from "~/catalog";
import { LEDGER_SUMS } from "~/models/figures/day-sums.server";
import { listFigureFaults, makeFigureDays } from "~/models/figures/figure-days.server";
import { listRevenue } from "~/models/figures/revenue.server";
import {
  listCostlyAccounts,
  listMargins,
  listRunsOfProviders,
} from "~/models/figures/run-figures.server";
import { SALE_SUMS } from "~/models/figures/sale-sums.server";
import { keepImages } from "~/models/images/keep-images.server";
import { refundRun, settleRun } from "~/models/metering/settle.server";
import { PACK } from "../../fixtures/sold";
import { applyEvents, orderRefunded, packCheckout, setUpBillingEnv } from "../../helpers/billing";
import { countStatements } from "../../helpers/count-statements";
import { afterSummingUp, createLot, createUser, DAY, openLedger } from "../../helpers/credits";
import { chargeImages } from "../../helpers/image-runs";
import { setClock } from "../../helpers/subscription-world";

setUpBillingEnv();
const at = (text: string) => new Date(`${text}Z`);
// Defaults of columns keep the real time: rows are written today, and the database's clock moves on to tomorrow.
const NOW = afterSummingUp();
const ledger = openLedger({ clock: NOW });

const request = { prompt: "a hill", n: 2, size: "square" } as const;
const TODAY = NOW.toISOString().slice(0, 10);
const DAYS = { first: TODAY, last: TODAY };
const COST = 6_000;

/** Runs for two images, settled with one of them, at this cost; null if it isn't known. */
async function runOnce(userId: string, costUsdMicros: number | null): Promise<void> {
  const { db } = ledger;
  const runId = await chargeImages(db, userId, request);
  const own = keepImages([{ url: "https://example.com/a.png", persisted: false, fileId: null }]);
  await settleRun({ runId, unitsUsed: 1, provider: "fal", model: "m", costUsdMicros, own }, db);
}

test("runs, their cost, the worth of what they used, and the accounts that cost most equal sums by hand", async () => {
  const { db } = ledger;
  const [buyer, guest] = [await createUser(db), await createUser(db)];
  await applyEvents(db, packCheckout(buyer));
  await createLot(db, guest, 10 * CREDITS_PER_IMAGE);
  await runOnce(buyer, COST);
  await runOnce(buyer, COST);
  await runOnce(guest, null);
  const failed = await chargeImages(db, guest, request);
  const running = await chargeImages(db, buyer, request);
  await setClock(db, new Date(NOW.getTime() + DAY));
  // A run of the day still goes on.
  expect(await makeFigureDays({ limit: 9 }, db)).toBe(0);
  await refundRun({ runId: failed, error: "generation_failed" }, db);
  await refundRun({ runId: running, error: "generation_failed" }, db);
  expect(await makeFigureDays({ limit: 9 }, db)).toBe(1);
  const byProvider = await listRunsOfProviders(DAYS, db);
  expect(byProvider.map((row) => [row.provider, row.runs, row.failed, row.credits])).toEqual([
    ["fal", 3, 0, 3 * CREDITS_PER_IMAGE],
    [null, 2, 2, 0],
  ]);
  expect(byProvider[1]?.commonError).toBe("generation_failed");
  const margins = await listMargins(DAYS, db);
  const settled = margins.filter(({ model }) => model === "m");
  expect(settled).toEqual([
    expect.objectContaining({
      ...{ product: PACK.skuKey, runs: 2, costUsdMicros: 2 * COST, unknownCosts: 0 },
      ...{ currency: CURRENCY, worth: Math.round((500 * 2 * CREDITS_PER_IMAGE) / PACK.credits) },
    }),
    expect.objectContaining({
      ...{ product: "free", runs: 1, costUsdMicros: 0, unknownCosts: 1 },
      ...{ currency: null, worth: 0 },
    }),
  ]);
  // Refunded credits were worth nothing.
  expect(margins.filter(({ model }) => model !== "m").every(({ worth }) => worth === 0)).toBe(true);
  const costly = await listCostlyAccounts(TODAY, db);
  expect(costly).toEqual([
    expect.objectContaining({ userId: buyer, runs: 3, costUsdMicros: 2 * COST }),
  ]);
  const faults: unknown[] = [];
  await listFigureFaults((fault) => faults.push(fault), db);
  expect(faults).toEqual([]);
});

/** Another value than the one that a column of this type has. */
const OTHER: Record<string, string> = {
  date: "$ - 1",
  uuid: "gen_random_uuid()",
  text: "coalesce($, '') || 'x'",
  metered_run_status:
    "(CASE $ WHEN 'settled' THEN 'refunded' ELSE 'settled' END)::metered_run_status",
  ...{ int4: "$ + 1", int8: "$ + 1", float8: "$ + 1", numeric: "coalesce($, 0) + 1" },
};

interface Column {
  table: string;
  name: string;
  type: string;
}

const listSumColumns = () =>
  ledger.db.$queryRaw<Column[]>`
    SELECT table_name AS table, column_name AS name, udt_name AS type FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name <> 'id' AND table_name IN (
      SELECT table_name FROM information_schema.columns WHERE table_schema = 'public'
        AND column_name = 'day' AND table_name <> 'figure_days')
    ORDER BY table_name, ordinal_position`;

/** The tables that verify names. */
async function listFaulty(): Promise<string[]> {
  const faults: string[] = [];
  await listFigureFaults(({ table }) => faults.push(table), ledger.db);
  return [...new Set(faults)].toSorted();
}

test("verify compares every column of every table of sums with its rows", async () => {
  const { db } = ledger;
  const columns = await listSumColumns();
  expect([...new Set(columns.map(({ table }) => table))]).toEqual(
    [...LEDGER_SUMS.summaries, ...SALE_SUMS.summaries].map(({ name }) => name).toSorted(),
  );
  for (const { table, name, type } of columns) {
    const first = `id = (SELECT min(id) FROM ${table})`;
    const change = (value: string) => db.$executeRawUnsafe(`UPDATE ${table} SET ${value}`);
    const [row] = await db.$queryRawUnsafe<{ value: string | null }[]>(
      `SELECT ${name}::text AS value FROM ${table} WHERE ${first}`,
    );
    const other = (OTHER[type] ?? type).replaceAll("$", name);
    expect([table, name, await change(`${name} = ${other} WHERE ${first}`)]).toEqual([
      ...[table, name, 1],
    ]);
    // The costliest accounts of a day are sums of sums.
    const isSummed = table === "account_days" && name !== "day";
    const faulty = isSummed ? [table, "costly_days"] : [table];
    expect([name, ...(await listFaulty())]).toEqual([name, ...faulty]);
    const value = row?.value == null ? "NULL" : `'${row.value}'`;
    await change(`${name} = ${value}::"${type}" WHERE ${first}`);
  }
  expect(await listFaulty()).toEqual([]);
});

test("verify finds a row of sums that is gone, and one that is there twice", async () => {
  const { db } = ledger;
  const columns = await listSumColumns();
  for (const { name: table } of [...LEDGER_SUMS.summaries, ...SALE_SUMS.summaries]) {
    const names = columns.filter((one) => one.table === table).map(({ name }) => name);
    const all = names.join(", ");
    const change = (text: string) => db.$executeRawUnsafe(text);
    await change(
      `INSERT INTO ${table} (${all}) SELECT ${all} FROM ${table} WHERE id = (SELECT min(id) FROM ${table})`,
    );
    expect(await listFaulty()).toContain(table);
    await change(`DELETE FROM ${table} WHERE id = (SELECT min(id) FROM ${table})`);
    expect(await listFaulty()).toEqual([]);
    await change(`CREATE TABLE kept AS TABLE ${table}`);
    await change(`DELETE FROM ${table} WHERE id = (SELECT max(id) FROM ${table})`);
    expect([table, await listFaulty()]).toEqual([table, expect.arrayContaining([table])]);
    await change(`DELETE FROM ${table}`);
    await change(`INSERT INTO ${table} (${all}) SELECT ${all} FROM kept`);
    await change("DROP TABLE kept");
    expect(await listFaulty()).toEqual([]);
  }
});

test("verify sums a month of days with four statements, however many days there are", async () => {
  const { db } = ledger;
  const count = async () =>
    (await countStatements(() => listFigureFaults(() => {}, db))).statements;
  const before = await count();
  const months = 3;
  await db.$executeRaw`
    INSERT INTO figure_days (day, is_due, is_sales_due, made_at, sales_made_at)
    SELECT ${TODAY}::date - n, false, false, now(), now() FROM generate_series(1, ${months}::int * 31) AS n`;
  expect(await count()).toBe(before + 4 * months);
  await db.$executeRaw`DELETE FROM figure_days WHERE day < ${TODAY}::date`;
});

test("a month's revenue is less what went back in it, of whatever month's payments", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  await setClock(db, at("2026-04-01T10:00"));
  const checkout = packCheckout(userId);
  await applyEvents(db, checkout);
  await setClock(db, at("2026-05-02T10:00"));
  await applyEvents(db, packCheckout(userId));
  await applyEvents(db, orderRefunded(checkout, 200, { occurredAt: at("2026-05-02T10:00") }));
  const revenue = await listRevenue(
    { from: at("2026-04-01T00:00"), to: at("2026-06-01T00:00") },
    db,
  );
  expect(revenue).toEqual([
    { month: "2026-04", product: PACK.skuKey, currency: CURRENCY, paid: 500, returned: 0 },
    { month: "2026-05", product: PACK.skuKey, currency: CURRENCY, paid: 500, returned: 200 },
  ]);
  // A month that still goes on is counted up to the end of the time.
  const until = (text: string) =>
    listRevenue({ from: at("2026-05-01T00:00"), to: at(text) }, db).then((lines) =>
      lines.map(({ paid, returned }) => [paid, returned]),
    );
  expect(await until("2026-05-02T00:00")).toEqual([]);
  expect(await until("2026-05-03T00:00")).toEqual([[500, 200]]);
});
