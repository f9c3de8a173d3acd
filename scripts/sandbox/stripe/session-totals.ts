import type { SandboxPrice } from "../payments/sandbox-catalog";
import type { StripeSession } from "./stripe-state";

/** Codes that the sandbox's checkout takes, and the percentage each takes off the first payment. */
export const PROMOTION_CODES: Record<string, number> = { FREE: 100, HALF: 50 };

/** Percent that the sandbox adds where the app asks for automatic tax. */
const TAX = 10;

/** A session's amounts, in minor units. Tax comes on top of what is left after the discount. */
export function totalsOf(
  { discountPercent, options }: Pick<StripeSession, "discountPercent" | "options">,
  { amount: subtotal }: Pick<SandboxPrice, "amount">,
) {
  const discount = Math.round((subtotal * discountPercent) / 100);
  const tax = options.automaticTax ? Math.round(((subtotal - discount) * TAX) / 100) : 0;
  return { subtotal, discount, tax, total: subtotal - discount + tax };
}
