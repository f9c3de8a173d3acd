import { createHmac } from "node:crypto";

// Signs webhook deliveries like the payment providers do. Used by the sandbox, and by the acceptance run,
// which sends a stored delivery again.

/** Headers of one Stripe delivery. As in Stripe's test mode, they include a `v0` that proves nothing. */
export function signAsStripe(secret: string) {
  return (body: string, at: Date): Record<string, string> => {
    const timestamp = Math.floor(at.getTime() / 1000);
    const sign = (key: string) =>
      createHmac("sha256", key).update(`${timestamp}.${body}`).digest("hex");
    const header = `t=${timestamp},v1=${sign(secret)},v0=${sign("v0")}`;
    return { "Stripe-Signature": header, "User-Agent": "Stripe/1.0 (sandbox)" };
  };
}

/**
 * Headers of one Creem delivery. The signature covers only the bytes, so it is the same for every
 * attempt.
 */
export function signAsCreem(secret: string) {
  return (body: string): Record<string, string> => ({
    "creem-signature": createHmac("sha256", secret).update(body).digest("hex"),
  });
}
