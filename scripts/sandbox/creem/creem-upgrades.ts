import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { currentPeriod } from "./creem-objects";
import type { CreemSubscription } from "./creem-state";

/** The new product for the rest of the period, or a whole new one, less what is left of the old one. */
export function upgradeAmount(
  subscription: CreemSubscription,
  { before, after }: { before: SandboxPrice; after: SandboxPrice },
): number {
  const { start, end } = currentPeriod(subscription, before);
  const left = (end.getTime() - Date.now()) / (end.getTime() - start.getTime());
  const share = before.interval === after.interval ? left : 1;
  return Math.max(0, Math.round(after.amount * share) - Math.round(before.amount * left));
}

/** A change of interval begins a new period now; another change leaves the period as it is. */
export function upgradeProduct(
  subscription: CreemSubscription,
  products: readonly SandboxPrice[],
  productId: string,
): void {
  const [before, after] = [subscription.productId, productId].map((id) =>
    requirePrice(products, id),
  );
  if (before?.interval !== after?.interval) {
    subscription.anchor = new Date().toISOString();
    subscription.period = 0;
  }
  subscription.productId = productId;
}
