import type Stripe from "stripe";
import type { OfferedPrice } from "~/services/payments/provider-inspection.server";

/** A price of Stripe's as a buyer would pay it. */
export function readStripePrice(price: Stripe.Price): OfferedPrice {
  const { unit_amount: amount, currency, recurring, active } = price;
  return { amount, currency, interval: readInterval(recurring), active };
}

function readInterval(recurring: Stripe.Price.Recurring | null): OfferedPrice["interval"] {
  if (!recurring) return null;
  const { interval, interval_count: count } = recurring;
  if (interval === "month" && count === 1) return "month";
  const isYear = interval === "month" ? count === 12 : interval === "year" && count === 1;
  return isYear ? "year" : "other";
}
