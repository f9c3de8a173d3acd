import Stripe from "stripe";
import { firstHeader } from "~/services/payments/webhook-header";

/** Stripe's own header name, and a neutral one. */
const HEADERS = ["Stripe-Signature", "Provider-A-Signature"];
/** Seconds; 0 would turn the check off. */
const TOLERANCE = 300;

/**
 * Whether the bytes carry a signature made with this endpoint's secret within the last 300 seconds. Any
 * error of the SDK means no. Its class proves nothing: an empty `v1=` throws a plain Error, and one
 * with unusual characters a RangeError.
 */
export function isSignedByStripe(rawBody: Uint8Array, headers: Headers, secret: string): boolean {
  const header = firstHeader(headers, HEADERS);
  if (!header || !Stripe.webhooks.signature) return false;
  try {
    // Decoded here, strictly. The SDK would drop a byte order mark and replace invalid bytes, and so
    // vouch for different bytes than those sent.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(rawBody);
    return Stripe.webhooks.signature.verifyHeader(text, header, secret, TOLERANCE);
  } catch {
    return false;
  }
}
