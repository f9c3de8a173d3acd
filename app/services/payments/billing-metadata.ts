import { z } from "zod";
import type { CatalogItem } from "~/catalog";
import { isUuid } from "~/utils/uuid";

/**
 * The metadata our checkouts attach to everything they create: who buys which item, and at which
 * installation. The keys are kept as sent; the reader checks them against the catalog, because an
 * unknown key must fail.
 */
export interface BillingMetadata {
  userId: string;
  /** Host of the site that made the checkout. Null for checkouts of versions that did not write it. */
  site: string | null;
  skuKey: string | null;
  planKey: string | null;
  period: string | null;
}

const text = z.string().min(1);
const ours = z
  .object({
    user_id: z.string().refine(isUuid),
    site: text.optional(),
    sku_key: text.optional(),
    plan_key: text.optional(),
    period: text.optional(),
  })
  .refine(({ sku_key, plan_key }) => sku_key !== undefined || plan_key !== undefined);

/** The metadata in the form a provider stores: flat, strings only. */
export function writeMetadata(
  { userId, site }: { userId: string; site: string },
  item: CatalogItem,
): Record<string, string> {
  return item.type === "pack"
    ? { user_id: userId, site, sku_key: item.skuKey }
    : { user_id: userId, site, plan_key: item.planKey, period: item.period };
}

/**
 * Reads what `writeMetadata` wrote; null for anything else, since the provider account may also sell
 * other things.
 */
export function readMetadata(metadata: unknown): BillingMetadata | null {
  const { data } = ours.safeParse(metadata);
  if (!data) return null;
  return {
    userId: data.user_id,
    site: data.site ?? null,
    skuKey: data.sku_key ?? null,
    planKey: data.plan_key ?? null,
    period: data.period ?? null,
  };
}
