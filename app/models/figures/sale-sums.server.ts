import type { DatabaseOrTransaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { PAYMENTS } from "~/models/figures/payments.server";
import { listReturnedDays } from "~/models/figures/revenue.server";
import {
  type Days,
  dayOf,
  isWithin,
  type Summary,
  type SummaryGroup,
} from "~/models/figures/summary.server";

/** The figure of the costliest accounts has so many, and sums up so many days. */
const COSTLY = { accounts: 20, days: 30 };

/** The days after one whose costliest accounts it counts for, too. */
export const COSTLY_DAYS_AFTER = COSTLY.days - 1;

const AT = Prisma.sql`at`;

/** The money of each day. */
export const saleDays: Summary = {
  name: "sale_days",
  table: Prisma.sql`sale_days`,
  columns: Prisma.sql`day, product, currency, paid, returned`,
  rows: (days) => Prisma.sql`
    SELECT day, product, currency, sum(paid)::bigint AS paid, sum(returned)::bigint AS returned
    FROM (
      SELECT ${dayOf(AT)} AS day, product, currency, amount AS paid, 0 AS returned
      FROM ${PAYMENTS} AS payment WHERE ${isWithin(AT, days)}
      UNION ALL
      SELECT day, product, currency, 0, returned FROM away
    ) AS moved GROUP BY 1, 2, 3`,
};

const signUpDays: Summary = {
  name: "sign_up_days",
  table: Prisma.sql`sign_up_days`,
  columns: Prisma.sql`day, sign_ups`,
  rows: (days) => Prisma.sql`
    SELECT ${dayOf(Prisma.sql`created_at`)} AS day, count(*)::int AS sign_ups
    FROM users WHERE ${isWithin(Prisma.sql`created_at`, days)} GROUP BY 1`,
};

/** The accounts that paid on these days and never before. */
const firstPurchases: Summary = {
  name: "first_purchases",
  table: Prisma.sql`first_purchases`,
  columns: Prisma.sql`day, account_id, signed_up_on, waited`,
  rows: (days) => Prisma.sql`
    SELECT ${dayOf(Prisma.sql`bought.at`)} AS day, bought.user_id AS account_id,
      ${dayOf(Prisma.sql`created_at`)} AS signed_up_on,
      greatest(0, extract(epoch FROM bought.at - created_at)::float8 / 86400) AS waited
    FROM (
      SELECT user_id, min(at) AS at FROM ${PAYMENTS} AS payment
      WHERE ${isWithin(AT, days)} GROUP BY user_id
    ) AS bought JOIN users ON users.id = bought.user_id
    WHERE NOT EXISTS (
      SELECT FROM ${PAYMENTS} AS earlier
      WHERE earlier.user_id = bought.user_id AND earlier.at < bought.at)`,
};

/** The accounts whose runs cost most in the days that end with each of these, from `account_days`. */
const costlyDays: Summary = {
  name: "costly_days",
  table: Prisma.sql`costly_days`,
  columns: Prisma.sql`day, account_id, runs, credits, cost_usd_micros`,
  rows: ({ first, last }) => Prisma.sql`
    SELECT ends.day, most.* FROM (
      SELECT generate_series(${first}::date, ${last}::date, interval '1 day')::date AS day
    ) AS ends CROSS JOIN LATERAL (
      SELECT account_id, sum(runs)::bigint AS runs, sum(credits)::bigint AS credits,
        sum(cost_usd_micros)::bigint AS cost_usd_micros
      FROM account_days WHERE day > ends.day - ${COSTLY.days}::int AND day <= ends.day
      GROUP BY account_id ORDER BY cost_usd_micros DESC, account_id LIMIT ${COSTLY.accounts}::int
    ) AS most`,
};

/** SQL step: what went back, divided among the returns of a sale here and not by the database. */
async function steps(days: Days, db: DatabaseOrTransaction): Promise<Prisma.Sql> {
  const returned = JSON.stringify(await listReturnedDays(days, db));
  return Prisma.sql`
    away AS (
      SELECT * FROM jsonb_to_recordset(${returned}::jsonb)
        AS away (day date, product text, currency text, returned bigint)
    )`;
}

/** The summaries that a sale makes due which is told, or changes, after its day. */
export const SALE_SUMS: SummaryGroup = {
  steps,
  summaries: [saleDays, signUpDays, firstPurchases, costlyDays],
};
