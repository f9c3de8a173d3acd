import { periodOf } from "../payments/billing-period";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { nowInSeconds, type StripeInvoiceLine, type StripeSubscription } from "./stripe-state";
import { currentPeriod } from "./subscription-objects";

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

/** The line of the current period, in full. */
export function currentLine(
  subscription: StripeSubscription,
  price: SandboxPrice,
): StripeInvoiceLine {
  const { start, end } = currentPeriod(subscription, price);
  return {
    amount: price.amount,
    priceId: price.id,
    start: seconds(start),
    end: seconds(end),
    proration: false,
  };
}

/**
 * The lines of a change at once, prorated by the second from `at`: what is left of the old price, then
 * the new one for the rest of the period, or for a whole one that begins now if the interval changes.
 */
export function changeLines(
  subscription: StripeSubscription,
  { prices, priceId, at }: { prices: readonly SandboxPrice[]; priceId: string; at: number },
): StripeInvoiceLine[] {
  const before = requirePrice(prices, subscription.priceId);
  const after = requirePrice(prices, priceId);
  const period = currentPeriod(subscription, before);
  const [start, end] = [seconds(period.start), seconds(period.end)];
  const share = ({ amount }: SandboxPrice) => Math.round((amount * (end - at)) / (end - start));
  const unused = {
    ...{ amount: -share(before), priceId: before.id },
    ...{ start: at, end, proration: true },
  };
  if (before.interval === after.interval) {
    const rest = { amount: share(after), priceId, start: at, end, proration: true };
    return [unused, rest];
  }
  const now = nowInSeconds();
  const whole = periodOf(new Date(now * 1000), 0, after.interval === "year" ? 12 : 1);
  return [
    unused,
    { amount: after.amount, priceId, start: now, end: seconds(whole.end), proration: false },
  ];
}
