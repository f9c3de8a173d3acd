import { z } from "zod";
import type { CatalogItem } from "~/catalog";
import { isUuid } from "~/utils/uuid";

/**
 * What our checkouts attach to everything they make: who buys what. The keys are as they were sent;
 * whether the catalog knows them is for the reader to decide, since an unknown one must not pass.
 */
export interface BillingMetadata {
  userId: string;
  skuKey: string | null;
  planKey: string | null;
  period: string | null;
}

const text = z.string().min(1);
const ours = z
  .object({
    user_id: z.string().refine(isUuid),
    sku_key: text.optional(),
    plan_key: text.optional(),
    period: text.optional(),
  })
  .refine(({ sku_key, plan_key }) => sku_key !== undefined || plan_key !== undefined);

/** The metadata as a provider stores it: flat, strings only. */
export function writeMetadata(userId: string, item: CatalogItem): Record<string, string> {
  return item.type === "pack"
    ? { user_id: userId, sku_key: item.skuKey }
    : { user_id: userId, plan_key: item.planKey, period: item.period };
}

/** What `writeMetadata` wrote, or null: the same account may sell other things. */
export function readMetadata(metadata: unknown): BillingMetadata | null {
  const { data } = ours.safeParse(metadata);
  if (!data) return null;
  return {
    userId: data.user_id,
    skuKey: data.sku_key ?? null,
    planKey: data.plan_key ?? null,
    period: data.period ?? null,
  };
}
