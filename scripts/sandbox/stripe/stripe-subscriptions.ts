import { Router } from "express";
import type { z } from "zod";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import type { StripeBilling } from "./stripe-billing";
import { noParams, parseParams, subscriptionParams } from "./stripe-params";
import { noSuch, StripeRefusal } from "./stripe-refusal";
import type { StripeState, StripeSubscription } from "./stripe-state";
import { renderSubscription } from "./subscription-objects";

interface SubscriptionsContext {
  state: StripeState;
  prices: readonly SandboxPrice[];
  billing: StripeBilling;
}

/** Subscriptions one by one. */
export function createStripeSubscriptions({
  state,
  prices,
  billing,
}: SubscriptionsContext): Router {
  const subscriptions = Router();

  function requireSubscription(id: string): StripeSubscription {
    const subscription = state.subscriptions[id];
    if (!subscription) throw noSuch("subscription", id, "id", 404);
    return subscription;
  }

  const render = (subscription: StripeSubscription) =>
    renderSubscription(subscription, requirePrice(prices, subscription.priceId), "basil");

  subscriptions.get("/subscriptions/:id", ({ params, query }, response) => {
    parseParams(noParams, query);
    response.json(render(requireSubscription(params.id)));
  });

  subscriptions.post("/subscriptions/:id", ({ params, body }, response) => {
    const update = parseParams(subscriptionParams, body);
    const subscription = requireSubscription(params.id);
    if (subscription.status === "canceled") {
      const message =
        "A canceled subscription can only update its cancellation_details and metadata.";
      throw new StripeRefusal({ status: 400, message });
    }
    refuseScheduled(subscription);
    applyEnd(subscription, update);
    response.json(render(subscription));
  });

  /** The end goes only the way it came: by the flag, or by the date that the portal sets without it. */
  function applyEnd(
    subscription: StripeSubscription,
    update: z.output<typeof subscriptionParams>,
  ): void {
    if ("cancel_at" in update) {
      if (subscription.cancelAt !== null && !subscription.cancelAtPeriodEnd)
        billing.keep(subscription);
    } else if (update.cancel_at_period_end === "false") {
      if (subscription.cancelAt !== null && subscription.cancelAtPeriodEnd)
        billing.keep(subscription);
    } else if (!subscription.cancelAtPeriodEnd) billing.scheduleCancellation(subscription, "api");
  }

  subscriptions.delete("/subscriptions/:id", ({ params, query }, response) => {
    parseParams(noParams, query);
    const subscription = requireSubscription(params.id);
    if (subscription.status === "canceled") throw noSuch("subscription", params.id, "id", 404);
    refuseScheduled(subscription);
    billing.end(subscription);
    response.json(render(subscription));
  });

  return subscriptions;
}

function refuseScheduled({ schedule }: StripeSubscription): void {
  if (!schedule) return;
  const message = `The subscription is managed by the subscription schedule \`${schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`;
  throw new StripeRefusal({ status: 400, message });
}
