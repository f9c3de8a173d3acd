import { Prisma } from "~/generated/prisma/client";
import { productOf } from "~/models/figures/lot-sales.server";

/**
 * SQL: every payment for an order or a period, with the account that made it, as a table with `sale_id`, `user_id`, `at`,
 * `product`, `currency` and `amount`. A period whose payment's time the provider didn't say counts by when it was noted.
 */
export const PAYMENTS = Prisma.sql`(
  SELECT id AS sale_id, user_id, paid_at AS at, sku_key AS product, currency, amount
  FROM orders WHERE paid_at IS NOT NULL
  UNION ALL
  SELECT paid.id, subscriptions.user_id, coalesce(paid.paid_at, paid.created_at),
    ${productOf(Prisma.sql`paid`)}, paid.currency, paid.amount
  FROM subscription_periods paid JOIN subscriptions ON subscriptions.id = paid.subscription_id
  WHERE kind <> 'trial' AND amount IS NOT NULL)`;

/** SQL: the accounts whose orders or periods these are, by a query for their ids. */
export const ownersOf = (saleIds: Prisma.Sql) => Prisma.sql`
  SELECT user_id FROM orders WHERE id IN (${saleIds})
  UNION ALL
  SELECT user_id FROM subscription_periods paid JOIN subscriptions ON subscriptions.id = subscription_id
  WHERE paid.id IN (${saleIds})`;
