import Stripe from "stripe";
import { firstHeader } from "~/services/payments/webhook-header";

/** Stripe's own name, and the neutral one of the specification. */
const HEADERS = ["Stripe-Signature", "Provider-A-Signature"];
/** Seconds; 0 would turn the check off. */
const TOLERANCE = 300;

/**
 * Whether the bytes carry a signature made with this endpoint's secret within the last 300 seconds.
 * Anything that the SDK throws means no: on an empty `v1=` it throws a plain Error, and on one of
 * other characters a RangeError, so that the class of an error proves nothing.
 */
export function isSignedByStripe(rawBody: Uint8Array, headers: Headers, secret: string): boolean {
  const header = firstHeader(headers, HEADERS);
  if (!header || !Stripe.webhooks.signature) return false;
  try {
    // Decoded here and strictly: the SDK would drop a byte order mark and replace invalid bytes, and
    // so vouch for others than those that were sent.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(rawBody);
    return Stripe.webhooks.signature.verifyHeader(text, header, secret, TOLERANCE);
  } catch {
    return false;
  }
}
