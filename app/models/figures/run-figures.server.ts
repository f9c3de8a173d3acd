import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { SummedDays } from "~/models/figures/summed-credits.server";

/** The runs of one action at one provider. */
export interface RunsOfProvider {
  action: string;
  /** Null for runs that ended before any provider was asked. */
  provider: string | null;
  runs: number;
  /** Of them, those that were refunded. */
  failed: number;
  /** The same for the most frequent reason; null without failures. */
  commonError: string | null;
  /** Credits that were charged. */
  credits: number;
}

/** Runs that began on these days, from `run_days`, which is made of `metered_runs`: the most frequent first. */
export function listRunsOfProviders(
  { first, last }: SummedDays,
  db: DatabaseOrTransaction = getDb(),
): Promise<RunsOfProvider[]> {
  return db.$queryRaw`
    WITH ended AS (
      SELECT action, provider, status, error, sum(runs)::float8 AS runs, sum(credits)::float8 AS credits
      FROM run_days WHERE day BETWEEN ${first}::date AND ${last}::date GROUP BY 1, 2, 3, 4
    )
    SELECT action, provider, sum(runs) AS runs,
      coalesce(sum(runs) FILTER (WHERE status = 'refunded'), 0) AS failed,
      (array_agg(error ORDER BY runs DESC) FILTER (WHERE status = 'refunded'))[1] AS "commonError",
      sum(credits) AS credits
    FROM ended GROUP BY action, provider ORDER BY runs DESC, action, provider`;
}

/** Our cost of runs, and the worth of the credits that they used. */
export interface Margin {
  action: string;
  model: string | null;
  /** The product whose credits paid for most of each run, or `free`. */
  product: string;
  runs: number;
  /** Runs with a result whose cost nobody knows; they are not in `costUsdMicros`. */
  unknownCosts: number;
  costUsdMicros: number;
  /** In which the credits were paid; null where they were free. */
  currency: string | null;
  /** Minor units of `currency`. */
  worth: number;
}

/**
 * Cost and worth of the runs that began on these days, from `run_days` (`metered_runs.cost_usd_micros`) and `run_worths`
 * (the credits that their deductions took of each lot, less refunds × the lot's price). Of a product that was paid in
 * several currencies, each is a row of its own, and the first one has the runs and their cost.
 */
export function listMargins(
  { first, last }: SummedDays,
  db: DatabaseOrTransaction = getDb(),
): Promise<Margin[]> {
  return db.$queryRaw`
    WITH spent AS (
      SELECT action, model, product, sum(runs)::float8 AS runs, sum(unknown_costs)::float8 AS unknown,
        sum(cost_usd_micros)::float8 AS cost
      FROM run_days WHERE day BETWEEN ${first}::date AND ${last}::date GROUP BY 1, 2, 3
    ),
    earned AS (
      SELECT action, model, product, currency, round(sum(worth))::float8 AS worth,
        row_number() OVER (PARTITION BY action, model, product ORDER BY currency) AS nth
      FROM run_worths WHERE day BETWEEN ${first}::date AND ${last}::date GROUP BY 1, 2, 3, 4
    )
    SELECT spent.action, spent.model, spent.product, currency, coalesce(worth, 0) AS worth,
      CASE WHEN nth > 1 THEN 0 ELSE runs END AS runs,
      CASE WHEN nth > 1 THEN 0 ELSE unknown END AS "unknownCosts",
      CASE WHEN nth > 1 THEN 0 ELSE cost END AS "costUsdMicros"
    FROM spent LEFT JOIN earned ON earned.action = spent.action AND earned.product = spent.product
      AND earned.model IS NOT DISTINCT FROM spent.model
    ORDER BY cost DESC, spent.action, spent.model, spent.product, currency`;
}

/** An account and what its runs cost us. */
export interface CostlyAccount {
  userId: string;
  email: string;
  runs: number;
  credits: number;
  costUsdMicros: number;
}

/** The accounts whose runs cost us most in the 30 days that end with this one, from `costly_days`. */
export function listCostlyAccounts(
  day: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<CostlyAccount[]> {
  return db.$queryRaw`
    SELECT account_id AS "userId", email, runs::float8, credits::float8,
      cost_usd_micros::float8 AS "costUsdMicros"
    FROM costly_days JOIN users ON users.id = account_id
    WHERE day = ${day}::date ORDER BY cost_usd_micros DESC, account_id`;
}
