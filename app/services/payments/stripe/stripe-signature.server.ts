import Stripe from "stripe";
import type { SignatureFault } from "~/services/payments/signature-fault";
import { firstHeader } from "~/services/payments/webhook-header";

/** Stripe's own header name, and a neutral one. */
const HEADERS = ["Stripe-Signature", "Provider-A-Signature"];
/** Seconds. */
const TOLERANCE = 300;
/** Turns the check of the time off in the SDK. For telling the reason of a refusal, never for accepting. */
const ANY_TIME = 0;

/**
 * Returns null if the bytes carry a signature made with this endpoint's secret within the last 300
 * seconds, else the reason against it.
 */
export function findStripeSignatureFault(
  rawBody: Uint8Array,
  headers: Headers,
  secret: string,
): SignatureFault | null {
  const header = firstHeader(headers, HEADERS);
  if (!header) return "missing";
  if (isSigned(rawBody, header, secret, TOLERANCE)) return null;
  if (isSigned(rawBody, header, secret, ANY_TIME)) return "expired";
  return hasStripesForm(header) ? "mismatch" : "malformed";
}

/**
 * Any error of the SDK means no. Its class proves nothing: an empty `v1=` throws a plain Error, and one
 * with unusual characters a RangeError.
 */
function isSigned(rawBody: Uint8Array, header: string, secret: string, tolerance: number): boolean {
  if (!Stripe.webhooks.signature) return false;
  try {
    // Decoded here, strictly. The SDK would drop a byte order mark and replace invalid bytes, and so
    // vouch for different bytes than those sent.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(rawBody);
    return Stripe.webhooks.signature.verifyHeader(text, header, secret, tolerance);
  } catch {
    return false;
  }
}

function hasStripesForm(header: string): boolean {
  const parts = header.split(",");
  return (
    parts.some((part) => /^t=\d+$/.test(part)) &&
    parts.some((part) => /^v1=[0-9a-f]{64}$/.test(part))
  );
}
