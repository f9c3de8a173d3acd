import type { DatabaseOrTransaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { MOVEMENT, type Movement } from "~/models/figures/credit-flow.server";
import { FREE, SALE_OF_LOT } from "~/models/figures/lot-sales.server";
import { type Days, dayOf, isWithin, type Summary } from "~/models/figures/summary.server";

/** Days, and when the last run ended that began on them. */
interface SettledDays extends Days {
  settled: Date;
}

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
  sums: (days) => Prisma.sql`
    WITH entry AS (
      SELECT entry.*, ${MOVEMENT} AS movement, ${dayOf(Prisma.sql`entry.created_at`)} AS day
      FROM credit_transactions entry WHERE ${isWithin(Prisma.sql`entry.created_at`, days)}
    ),
    change AS (
      SELECT day, movement, id AS lot_id, amount AS credits FROM entry WHERE remaining IS NOT NULL
      UNION ALL
      SELECT day, movement, lot_id, allocation.amount
      FROM entry JOIN credit_allocations allocation ON transaction_id = entry.id
    ),
    of_lot AS (
      SELECT day, movement, lot_id, sum(credits) AS credits FROM change GROUP BY 1, 2, 3
    ),
    priced AS (
      SELECT lot.id AS lot_id, date_trunc('month', lot.created_at AT TIME ZONE 'UTC')::date AS lot_month,
        coalesce(product, ${FREE}) AS product, CASE WHEN is_paid THEN sale.currency END AS currency,
        CASE WHEN product IS NULL THEN 0 ELSE price END AS price
      FROM (SELECT DISTINCT lot_id FROM change) AS touched
        JOIN credit_transactions lot ON lot.id = lot_id ${SALE_OF_LOT}
    )
    SELECT day, lot_month, product, currency, price, ${movementSum("sold")} AS sold,
      ${movementSum("granted")} AS granted, ${movementSum("adjusted")} AS adjusted,
      ${movementSum("spent")} AS spent, ${movementSum("expired")} AS expired,
      ${movementSum("returned")} AS returned
    FROM of_lot JOIN priced USING (lot_id) GROUP BY 1, 2, 3, 4, 5`,
};

/**
 * SQL steps: the runs that began on these days, and the sale of each lot that one of their rows moved. Their rows are
 * found by time and not one by one, so that a day costs the same in a ledger of years.
 */
const runSteps = (days: SettledDays) => Prisma.sql`
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
      AND entry.created_at < ${days.settled}::timestamptz + interval '1 hour'
  ),
  priced AS (
    SELECT lot.id AS lot_id, coalesce(product, ${FREE}) AS product, sale.currency,
      CASE WHEN is_paid THEN price END AS price
    FROM (SELECT DISTINCT lot_id FROM part) AS touched
      JOIN credit_transactions lot ON lot.id = lot_id ${SALE_OF_LOT}
  ),
  owned AS (
    SELECT DISTINCT ON (run_id) run_id, product FROM part JOIN priced USING (lot_id)
    WHERE is_first ORDER BY run_id, amount, lot_id
  )`;

/** The runs of each day. A run counts for the product that most of its first deduction came from. */
const runDays: Summary = {
  name: "run_days",
  table: Prisma.sql`run_days`,
  columns: Prisma.sql`day, action, provider, model, product, status, error,
    runs, credits, cost_usd_micros, unknown_costs`,
  sums: async (days, db) => Prisma.sql`
    WITH ${runSteps(await withSettled(days, db))}
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
  sums: async (days, db) => Prisma.sql`
    WITH ${runSteps(await withSettled(days, db))}
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
  sums: (days) => Prisma.sql`
    SELECT ${dayOf(Prisma.sql`created_at`)} AS day, account_id, count(*)::int AS runs,
      sum(credits_charged)::bigint AS credits, sum(cost_usd_micros)::bigint AS cost_usd_micros
    FROM metered_runs WHERE ${isWithin(Prisma.sql`created_at`, days)}
    GROUP BY 1, 2 HAVING sum(cost_usd_micros) > 0`,
};

/** Completes days by the end of their runs; where none began, by their own end. */
async function withSettled(days: Days, db: DatabaseOrTransaction): Promise<SettledDays> {
  const [row] = await db.$queryRaw<{ settled: Date }[]>`
    SELECT greatest(max(settled_at), (${days.last}::date + 1)::timestamp AT TIME ZONE 'UTC') AS settled
    FROM metered_runs WHERE ${isWithin(Prisma.sql`created_at`, days)}`;
  if (!row) throw new Error("an aggregate has one row");
  return { ...days, settled: row.settled };
}

/** The summaries of the ledger's rows and of runs. */
export const LEDGER_SUMMARIES: readonly Summary[] = [creditDays, runDays, runWorths, accountDays];
