import { z } from "zod";
import type { CatalogItem, SkuKey } from "~/catalog";
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

/** The names in our metadata of a payment with a kept card, and of the page that keeps the card. */
const KINDS = { topUp: "top_up", card: "card" } as const;

/** The metadata of a payment that nobody was asked for. */
export function writeTopUpMetadata(
  { topUpId, userId, site }: { topUpId: string; userId: string; site: string },
  skuKey: SkuKey,
): Record<string, string> {
  return {
    ...writeMetadata({ userId, site }, { type: "pack", skuKey }),
    kind: KINDS.topUp,
    top_up: topUpId,
  };
}

/** Reads what `writeTopUpMetadata` wrote; null for the payment of a checkout, and for what isn't ours. */
export function readTopUpMetadata(
  metadata: unknown,
): { topUpId: string; metadata: BillingMetadata } | null {
  const { data } = topUp.safeParse(metadata);
  const read = data && readMetadata(metadata);
  return read ? { topUpId: data.top_up, metadata: read } : null;
}

const uuid = z.string().refine(isUuid);
const topUp = z.object({ kind: z.literal(KINDS.topUp), top_up: uuid });
const card = z.object({
  kind: z.literal(KINDS.card),
  user_id: uuid,
  site: z.string().min(1),
  card_request: uuid,
});

/** The metadata of a page that keeps a card. `requestId` names the terms that it is kept for. */
export const writeCardMetadata = ({
  requestId,
  userId,
  site,
}: {
  requestId: string;
  userId: string;
  site: string;
}): Record<string, string> => ({
  ...{ user_id: userId, site },
  ...{ kind: KINDS.card, card_request: requestId },
});

/** Reads what `writeCardMetadata` wrote; null for anything else. */
export function readCardMetadata(
  metadata: unknown,
): { requestId: string; metadata: BillingMetadata } | null {
  const { data } = card.safeParse(metadata);
  if (!data) return null;
  const nothing = { skuKey: null, planKey: null, period: null };
  return {
    requestId: data.card_request,
    metadata: { userId: data.user_id, site: data.site, ...nothing },
  };
}

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
