import { Prisma } from "~/generated/prisma/client";

/** SQL: whether a row of `account_settings`, named `settings`, buys packs by itself. */
export const IS_ON = Prisma.sql`(settings.threshold IS NOT NULL AND settings.off_at IS NULL
  AND settings.payment_method_id IS NOT NULL AND settings.agreed_at IS NOT NULL)`;
