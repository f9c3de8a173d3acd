import { createHmac } from "node:crypto";

// Signatures of webhook deliveries as the payment providers make them: for the sandbox, which stands in
// for the providers, and for the acceptance run, which sends a stored delivery again.

/** Headers of one Stripe delivery. Like Stripe's test mode they carry a `v0` that proves nothing. */
export function signAsStripe(secret: string) {
  return (body: string, at: Date): Record<string, string> => {
    const timestamp = Math.floor(at.getTime() / 1000);
    const sign = (key: string) =>
      createHmac("sha256", key).update(`${timestamp}.${body}`).digest("hex");
    const header = `t=${timestamp},v1=${sign(secret)},v0=${sign("v0")}`;
    return { "Stripe-Signature": header, "User-Agent": "Stripe/1.0 (sandbox)" };
  };
}

/** Headers of one Creem delivery. The signature covers the bytes alone, so that every attempt has the same. */
export function signAsCreem(secret: string) {
  return (body: string): Record<string, string> => ({
    "creem-signature": createHmac("sha256", secret).update(body).digest("hex"),
  });
}
