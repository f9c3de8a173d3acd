import { Prisma } from "~/generated/prisma/client";
import { saleIdOf } from "~/models/credits/ids-in-rows.server";

/** The product of credits that nobody paid for: of `SIGNUP_CREDITS`, and of an operator's adjustments. */
export const FREE = "free";

/** SQL: what a paid period sells, in the catalog's words: `pro_annual`. */
export const productOf = (paid: Prisma.Sql) =>
  Prisma.sql`(${paid}.plan_key || CASE ${paid}.period WHEN 'month' THEN '_monthly' ELSE '_annual' END)`;

/** SQL: the monthly boundaries that a period has: a later one less than four days before its end is none. */
const monthsOf = (paid: Prisma.Sql) => Prisma.sql`(
  SELECT (extract(year FROM length) * 12 + extract(month FROM length) + 1)::int
  FROM (SELECT age(${paid}.ends_at AT TIME ZONE 'UTC' - interval '4 days',
    ${paid}.starts_at AT TIME ZONE 'UTC') AS length) AS span)`;

/**
 * SQL: joins the sale of each lot, as `sale`, to rows `lot` of `credit_transactions`. It has one row if the lot's
 * reference is an order or a period, else none: such credits are free.
 *
 * - `product`: the order's pack, or the period's plan with its interval.
 * - `price`: minor units of `currency` per credit; null while the payment's amount isn't known; 0 for a trial.
 * - `is_paid`: false for a trial.
 *
 * An order's price is `orders.amount` ÷ `orders.credits`. A period's is the part of `subscription_periods.amount` that
 * falls on a month, ÷ the credits of the first lot that the period gave: a later lot is smaller where a part of the
 * payment went back, and its credits cost no more for that. The month of an upgraded period is one lot, paid by all
 * payments that end together, each with its month's part; the lot that an upgrade adds in its first month is its own.
 * Credits that were given back to a payment without a lot of its own (the same month was paid twice) count as those of
 * the first lot of its plan. Only lots written before count, so that a lot's price moves with no later one.
 */
export const SALE_OF_LOT = Prisma.sql`
  LEFT JOIN LATERAL (
    SELECT sku_key AS product, currency, round(amount::numeric / credits, 12) AS price, true AS is_paid
    FROM orders WHERE orders.id = ${saleIdOf(Prisma.sql`lot.reference`)}
    UNION ALL
    SELECT ${productOf(Prisma.sql`paid`)}, paid.currency,
      CASE WHEN kind = 'trial' THEN 0 ELSE round(month.amount / first.credits, 12) END, kind <> 'trial'
    FROM subscription_periods paid
      CROSS JOIN LATERAL (SELECT kind = 'upgrade' AND (lot.type <> 'grant' OR lot.source LIKE 'upgrade:%')
        AS is_added) AS part
      CROSS JOIN LATERAL (
        SELECT coalesce((
          SELECT given.amount FROM credit_transactions given
          WHERE given.reference = lot.reference AND given.id <= lot.id
            AND given.remaining IS NOT NULL AND given.type = 'grant'
          ORDER BY (given.source LIKE 'upgrade:%') <> is_added, given.id LIMIT 1
        ), (
          SELECT given.amount FROM subscription_periods same
            JOIN credit_transactions given ON given.reference = same.id::text
          WHERE same.subscription_id = paid.subscription_id AND same.plan_key = paid.plan_key
            AND given.id <= lot.id AND given.remaining IS NOT NULL AND given.type = 'grant'
          ORDER BY given.id LIMIT 1
        ), lot.amount) AS credits
      ) AS first
      CROSS JOIN LATERAL (
        SELECT CASE WHEN bool_and(payment.amount IS NOT NULL)
          THEN sum(payment.amount::numeric / ${monthsOf(Prisma.sql`payment`)}) END AS amount
        FROM (
          SELECT DISTINCT ON (plan_key) * FROM subscription_periods other
          WHERE other.subscription_id = paid.subscription_id AND (other.id = paid.id
            OR (paid.kind = 'upgrade' AND NOT is_added AND other.kind <> 'trial'
              AND other.ends_at = paid.ends_at AND other.starts_at <= paid.starts_at
              AND other.plan_key <> paid.plan_key))
          ORDER BY plan_key, other.created_at, other.id
        ) AS payment
      ) AS month
    WHERE paid.id = ${saleIdOf(Prisma.sql`lot.reference`)}
  ) AS sale ON true`;

/** SQL: whether money paid for the grant `entry`: its reference is an order, or a period that is no trial. */
export const IS_SOLD = Prisma.sql`(
  EXISTS (SELECT FROM orders WHERE orders.id = ${saleIdOf(Prisma.sql`entry.reference`)})
  OR EXISTS (SELECT FROM subscription_periods paid
    WHERE paid.id = ${saleIdOf(Prisma.sql`entry.reference`)} AND kind <> 'trial'))`;
