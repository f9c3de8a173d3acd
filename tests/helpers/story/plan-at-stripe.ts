import { PLANS, slotOf } from "~/catalog";
import {
  createSandboxPrices,
  requirePrice,
} from "../../../scripts/sandbox/payments/sandbox-catalog";
import { openState } from "../../../scripts/sandbox/payments/saved-state";
import { emptyStripeState } from "../../../scripts/sandbox/stripe/stripe-state";
import { monthsOf } from "./story";

/** The story's customer and subscription, as the account's rows name them. */
export const STORY_PLAN = { customer: "cus_story", subscription: "sub_story" };

/**
 * Writes the story's plan into the file from which Stripe's stand-in starts, so that it can be changed,
 * cancelled and managed there.
 */
export function savePlanAtStripe(
  stateFile: string,
  { email, now = new Date() }: { email: string; now?: Date },
): void {
  const [plan] = PLANS;
  const slot = slotOf({ type: "plan", planKey: plan.planKey, period: "month" });
  const prices = createSandboxPrices("price");
  const price = requirePrice(prices, prices.find((one) => one.slot === slot)?.id ?? "");
  const [begun, running] = [monthsOf(now)[0], monthsOf(now).at(-1)].map((date) =>
    Math.floor((date ?? now).getTime() / 1000),
  ) as [number, number];
  const { customer, subscription: id } = STORY_PLAN;
  const { data, save } = openState(stateFile, emptyStripeState(), () => ({}));
  data.customers[customer] = { id: customer, email };
  data.subscriptions[id] = {
    ...{ id, itemId: "si_story", customer, priceId: price.id, status: "active", metadata: {} },
    // Its months are counted from the running one.
    ...{ created: begun, anchor: running, period: 0 },
    ...{ cancelAtPeriodEnd: false, cancelAt: null, canceledAt: null, endedAt: null },
    ...{ openInvoice: null, latestInvoice: null, schedule: null },
    ...{ pendingUpdate: null, pendingLines: [] },
  };
  save();
}
