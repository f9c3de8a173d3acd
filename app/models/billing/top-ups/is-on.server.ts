import { Prisma } from "~/generated/prisma/client";

/** SQL: whether a row of `account_settings`, named `settings`, buys packs by itself. */
export const IS_ON = Prisma.sql`(settings.threshold IS NOT NULL AND settings.off_at IS NULL
  AND settings.payment_method_id IS NOT NULL AND settings.agreed_at IS NOT NULL)`;

/** SQL: whether a row of `top_ups`, named `top_up`, is on the terms, and for the card, of these settings. */
export const IS_AGREED = Prisma.sql`((settings.sku_key, settings.agreed_amount, settings.agreed_currency,
    settings.provider_customer_id, settings.payment_method_id) = (top_up.sku_key, top_up.amount, top_up.currency,
    top_up.provider_customer_id, top_up.payment_method_id)
  AND settings.agreed_credits IS NOT DISTINCT FROM top_up.credits)`;
