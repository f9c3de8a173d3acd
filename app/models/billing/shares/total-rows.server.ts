import { Prisma } from "~/generated/prisma/client";

/** SQL: whether an unnamed row `returned` bears an id of its sale, not of a payment. */
const bears = (...ids: Prisma.Sql[]) => Prisma.sql`coalesce(
  provider_return_id IS NULL AND returned.provider_payment_id IN (${Prisma.join(ids)}), false)`;

/** SQL: whether `returned` is a total of the row `orders`. */
export const IS_ORDER_TOTAL = bears(
  Prisma.sql`orders.provider_payment_id`,
  Prisma.sql`orders.provider_checkout_id`,
);

/** SQL: whether `returned` is a total of the row `paid` of `subscription_periods`. */
export const IS_PERIOD_TOTAL = bears(
  Prisma.sql`paid.provider_payment_id`,
  Prisma.sql`paid.id::text`,
);
