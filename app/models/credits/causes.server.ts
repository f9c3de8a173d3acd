import { Prisma } from "~/generated/prisma/client";
import { expiredLotIdOf, runIdOf, saleIdOf } from "~/models/credits/ids-in-rows.server";

/**
 * SQL: joins to a row of the ledger, `row`, what it names: the run and its key, the order, the paid period, and for an
 * expiry those of the lot that is over. Each finds at most one row, by its key, and only the same account's; a source
 * of another form finds none. With `OFFSET 0` PostgreSQL computes each id once for a row, not once more for each join.
 */
export const CAUSE_JOINS = Prisma.sql`
  LEFT JOIN credit_transactions over ON over.user_id = row.user_id
    AND over.id = CASE row.type WHEN 'expiry' THEN ${expiredLotIdOf(Prisma.sql`row.source`)} END
  CROSS JOIN LATERAL (
    SELECT ${saleIdOf(Prisma.sql`named.reference`)} AS sale_id, ${runIdOf(Prisma.sql`row.source`)} AS run_id
    FROM (SELECT CASE WHEN row.type NOT IN ('deduction', 'refund')
      THEN coalesce(over.reference, row.reference) END AS reference) AS named OFFSET 0
  ) AS ids
  LEFT JOIN orders sold ON sold.id = ids.sale_id AND sold.user_id = row.user_id
  LEFT JOIN subscription_periods paid ON paid.id = ids.sale_id AND EXISTS (
    SELECT FROM subscriptions WHERE id = paid.subscription_id AND user_id = row.user_id)
  LEFT JOIN metered_runs run ON run.id = ids.run_id AND run.account_id = row.user_id
  LEFT JOIN api_keys program ON program.id = run.api_key_id`;

/** SQL: the columns of `CauseParts` from these joins. */
export const CAUSE = Prisma.sql`
  CASE WHEN sold.id IS NOT NULL THEN jsonb_build_object('id', sold.id, 'skuKey', sold.sku_key,
    'provider', sold.provider, 'paymentId', sold.provider_payment_id) END AS "order",
  CASE WHEN paid.id IS NOT NULL THEN jsonb_build_object('id', paid.id, 'planKey', paid.plan_key,
    'isTrial', paid.kind = 'trial', 'provider', paid.provider, 'paymentId', paid.provider_payment_id,
    'startsAt', paid.starts_at, 'endsAt', paid.ends_at) END AS period,
  CASE WHEN run.id IS NOT NULL THEN jsonb_build_object('id', run.id, 'action', run.action,
    'status', run.status, 'provider', run.provider) END AS run,
  CASE WHEN program.id IS NOT NULL THEN jsonb_build_object('id', program.id, 'name', program.name) END AS "apiKey",
  over.id::text AS "expiredLotId"`;
