import type { DatabaseOrTransaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { MOVEMENT, type Movement } from "~/models/figures/credit-flow.server";
import { FREE, SALE_OF_LOT } from "~/models/figures/lot-sales.server";
import {
  type Days,
  dayOf,
  isWithin,
  type Summary,
  type SummaryGroup,
} from "~/models/figures/summary.server";

/** SQL: the credits that moved in this way. */
const movementSum = (movement: Movement) =>
  Prisma.sql`coalesce(sum(credits) FILTER (WHERE movement = ${movement}), 0)::bigint`;

/**
 * How the ledger's rows of each day changed the lots: a lot's own row by its amount, any other row by its allocations. By
 * the month in which the lot was written, its product and its price.
 */
const creditDays: Summary = {
  name: "credit_days",
  table: Prisma.sql`credit_days`,
  columns: Prisma.sql`day, lot_month, product, currency, price,
    sold, granted, adjusted, spent, expired, returned`,
  rows: () => Prisma.sql`
    SELECT day, lot_month, product, currency, price, ${movementSum("sold")} AS sold,
      ${movementSum("granted")} AS granted, ${movementSum("adjusted")} AS adjusted,
      ${movementSum("spent")} AS spent, ${movementSum("expired")} AS expired,
      ${movementSum("returned")} AS returned
    FROM of_lot JOIN priced USING (lot_id) GROUP BY 1, 2, 3, 4, 5`,
};

/** The runs of each day. A run counts for the product that most of its first deduction came from. */
const runDays: Summary = {
  name: "run_days",
  table: Prisma.sql`run_days`,
  columns: Prisma.sql`day, action, provider, model, product, status, error,
    runs, credits, cost_usd_micros, unknown_costs`,
  rows: () => Prisma.sql`
    SELECT day, action, provider, model, coalesce(product, ${FREE}) AS product, status, error,
      count(*) AS runs, sum(credits_charged)::bigint AS credits,
      coalesce(sum(cost_usd_micros), 0)::bigint AS cost_usd_micros,
      count(*) FILTER (WHERE cost_usd_micros IS NULL AND status = 'settled') AS unknown_costs
    FROM run LEFT JOIN owned ON run_id = run.id GROUP BY 1, 2, 3, 4, 5, 6, 7`,
};

/** The worth of the credits that each day's runs used: of every lot, the credits less those given back × its price. */
const runWorths: Summary = {
  name: "run_worths",
  table: Prisma.sql`run_worths`,
  columns: Prisma.sql`day, action, provider, model, product, currency, worth`,
  rows: () => Prisma.sql`
    SELECT day, action, provider, model, coalesce(owned.product, ${FREE}) AS product, currency,
      sum(-amount * price) AS worth
    FROM run JOIN part ON part.run_id = run.id JOIN priced USING (lot_id)
      LEFT JOIN owned ON owned.run_id = run.id
    WHERE price > 0 GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(-amount * price) <> 0`,
};

/** Our cost of each account's runs of a day. Accounts without a known cost have no row. */
const accountDays: Summary = {
  name: "account_days",
  table: Prisma.sql`account_days`,
  columns: Prisma.sql`day, account_id, runs, credits, cost_usd_micros`,
  rows: () => Prisma.sql`
    SELECT day, account_id, count(*)::int AS runs, sum(credits_charged)::bigint AS credits,
      sum(cost_usd_micros)::bigint AS cost_usd_micros
    FROM run GROUP BY 1, 2 HAVING sum(cost_usd_micros) > 0`,
};

/**
 * SQL steps: what the ledger's rows of these days changed, the runs that began on them, and the sale of each lot that either
 * moved. The rows of runs are found by time and not one by one, and lots one by one, where a plain join may read the whole
 * ledger: so a day costs the same in a ledger of years.
 */
async function steps(days: Days, db: DatabaseOrTransaction): Promise<Prisma.Sql> {
  const settled = await settledBy(days, db);
  return Prisma.sql`
    entry AS (
      SELECT entry.*, ${MOVEMENT} AS movement, ${dayOf(Prisma.sql`entry.created_at`)} AS day
      FROM credit_transactions entry WHERE ${isWithin(Prisma.sql`entry.created_at`, days)}
    ),
    of_lot AS (
      SELECT day, movement, lot_id, sum(credits) AS credits FROM (
        SELECT day, movement, id AS lot_id, amount AS credits FROM entry WHERE remaining IS NOT NULL
        UNION ALL
        SELECT day, movement, lot_id, allocation.amount
        FROM entry JOIN credit_allocations allocation ON transaction_id = entry.id
      ) AS change GROUP BY 1, 2, 3
    ),
    run AS (
      SELECT *, ${dayOf(Prisma.sql`created_at`)} AS day,
        CASE action WHEN 'image' THEN 'generation:' ELSE 'run:' END || id AS source
      FROM metered_runs WHERE ${isWithin(Prisma.sql`created_at`, days)}
    ),
    part AS (
      SELECT run.id AS run_id, entry.source = run.source AS is_first, lot_id, allocation.amount
      FROM credit_transactions entry
        JOIN run ON run.id::text = substring(entry.source FROM '^(?:generation|run):([0-9a-f-]{36})')
        JOIN credit_allocations allocation ON transaction_id = entry.id
      WHERE entry.type IN ('deduction', 'refund')
        AND entry.created_at >= ${days.first}::date::timestamp AT TIME ZONE 'UTC'
        AND entry.created_at < ${settled}::timestamptz + interval '1 hour'
    ),
    priced AS (
      SELECT lot.id AS lot_id, date_trunc('month', lot.created_at AT TIME ZONE 'UTC')::date AS lot_month,
        coalesce(product, ${FREE}) AS product, CASE WHEN is_paid THEN sale.currency END AS currency,
        CASE WHEN product IS NULL THEN 0 ELSE price END AS price
      FROM (SELECT lot_id FROM of_lot UNION SELECT lot_id FROM part) AS touched
        CROSS JOIN LATERAL (SELECT * FROM credit_transactions WHERE id = lot_id LIMIT 1) AS lot ${SALE_OF_LOT}
    ),
    owned AS (
      SELECT DISTINCT ON (run_id) run_id, product FROM part JOIN priced USING (lot_id)
      WHERE is_first ORDER BY run_id, amount, lot_id
    )`;
}

/** When the last run ended that began on these days; where none began, their own end. */
async function settledBy(days: Days, db: DatabaseOrTransaction): Promise<Date> {
  const [row] = await db.$queryRaw<{ settled: Date }[]>`
    SELECT greatest(max(settled_at), (${days.last}::date + 1)::timestamp AT TIME ZONE 'UTC') AS settled
    FROM metered_runs WHERE ${isWithin(Prisma.sql`created_at`, days)}`;
  if (!row) throw new Error("an aggregate has one row");
  return row.settled;
}

/** The summaries of the ledger's rows and of runs. */
export const LEDGER_SUMS: SummaryGroup = {
  steps,
  summaries: [creditDays, runDays, runWorths, accountDays],
};
