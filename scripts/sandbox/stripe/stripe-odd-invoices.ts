import { z } from "zod";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { periodIn } from "./stripe-next-period";
import { currentLine } from "./stripe-prorations";
import {
  INVOICE_REASONS,
  nowInSeconds,
  type StripeInvoiceLine,
  type StripeSubscription,
} from "./stripe-state";

const DAY_SECONDS = 24 * 60 * 60;

/** Minor units; a negative amount pays back. */
const amount = z.int();
const days = z.int().min(0).max(1000);
/** Any id: a price that the catalog doesn't have is the purpose of these lines. */
const price = z.string().startsWith("price_");

const line = z.discriminatedUnion("kind", [
  /** The subscription's own line of its current period, in full. */
  z.strictObject({ kind: z.literal("plan") }),
  /** A one-off item. */
  z.strictObject({
    kind: z.literal("item"),
    amount,
    days: days.default(0),
    price: price.default("price_sandbox_one_off"),
  }),
  /** A whole line of another price, from now on. */
  z.strictObject({ kind: z.literal("price"), amount, days: days.default(30), price }),
  /** The rest of the current period, at another price. */
  z.strictObject({ kind: z.literal("proration"), amount, price }),
]);

export const oddInvoice = z.strictObject({
  lines: z.array(line).min(1),
  /** An invoice of its own, or more lines on the next renewal's. */
  when: z.enum(["now", "renewal"]).default("now"),
  reason: z.enum(INVOICE_REASONS).default("manual"),
});

/** Makes invoice lines that an operator or another app of the account puts on a subscription's invoice. */
export function createOddLine(
  ordered: z.output<typeof line>,
  subscription: StripeSubscription,
  prices: readonly SandboxPrice[],
): StripeInvoiceLine {
  if (ordered.kind === "plan")
    return currentLine(subscription, requirePrice(prices, subscription.priceId));
  const start = nowInSeconds();
  return {
    amount: ordered.amount,
    priceId: ordered.price,
    start,
    end:
      ordered.kind === "proration"
        ? periodIn(subscription, prices).end
        : start + ordered.days * DAY_SECONDS,
    proration: ordered.kind === "proration",
    ...(ordered.kind === "item" ? { isItem: true } : {}),
  };
}
