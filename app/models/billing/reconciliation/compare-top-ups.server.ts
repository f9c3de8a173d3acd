import { findPack } from "~/catalog";
import {
  type Comparison,
  hasUser,
  isForeign,
  isWanted,
  UNKNOWN_USER,
} from "~/models/billing/reconciliation/comparison.server";
import {
  type Difference,
  forOperator,
  repairable,
} from "~/models/billing/reconciliation/difference";
import type { TopUpPaid } from "~/services/payments/billing-event";
import { topUpCheckoutId } from "~/services/payments/top-up-checkout";
import { formatAmount } from "~/utils/money";

/** Compares a payment with a kept card with its order, which the webhook makes. */
export async function compareTopUp(
  event: TopUpPaid,
  comparison: Comparison,
): Promise<Difference[]> {
  const { metadata, topUpId, paymentId } = event;
  if (!isWanted(comparison, metadata.userId)) return [];
  if (await isForeign(comparison, metadata)) return [];
  const { db, records } = comparison;
  const provider = records.name;
  const providerCheckoutId = topUpCheckoutId(topUpId);
  const order = await db.order.findUnique({
    where: { provider_providerCheckoutId: { provider, providerCheckoutId } },
    select: { id: true },
  });
  if (order) return [];
  const pack = findPack(metadata.skuKey ?? "");
  const found = {
    provider,
    object: `top-up ${paymentId}`,
    userId: metadata.userId,
    says: `${pack?.credits ?? "unknown"} credits for ${formatAmount(event)}: paid there, no order here`,
  };
  if (!pack) return [forOperator(found, `the catalog has no pack ${metadata.skuKey}: put it back`)];
  if (!(await hasUser(comparison, metadata.userId))) return [forOperator(found, UNKNOWN_USER)];
  return [repairable(found, "record the order and grant its credits", [event])];
}
