import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { SignatureFault } from "~/services/payments/signature-fault";
import { firstHeader } from "~/services/payments/webhook-header";

/** Creem's own header name, and a neutral one. */
const HEADERS = ["creem-signature", "X-ProviderB-Signature"];

/** Checked first: `timingSafeEqual` throws on unequal lengths, and hex decoding silently drops other text. */
const SHA256_HEX = /^[0-9a-f]{64}$/;

/**
 * Returns null if a header carries the HMAC-SHA256 of the bytes, else the reason against it. The signature
 * has no timestamp, so only the inbox's record of past deliveries stops a replay. A `signatureHeader`
 * replaces the default names.
 */
export function findCreemSignatureFault(
  rawBody: Uint8Array,
  headers: Headers,
  settings: { webhookSecret: string; signatureHeader: string | null },
): SignatureFault | null {
  const names = settings.signatureHeader ? [settings.signatureHeader] : HEADERS;
  const signature = firstHeader(headers, names);
  if (!signature) return "missing";
  if (!SHA256_HEX.test(signature)) return "malformed";
  const expected = createHmac("sha256", settings.webhookSecret).update(rawBody).digest();
  return matches(signature, expected) ? null : "mismatch";
}

/**
 * Whether the parameters Creem appended to the success URL, in their order, are signed with the API
 * key: SHA-256 of `k=v|k=v|…|salt=<key>`, leaving out empty values and the literal text `null`.
 */
export function isReturnSignedByCreem(
  parameters: Iterable<readonly [string, string]>,
  apiKey: string,
): boolean {
  const all = [...parameters];
  const signatures = all.filter(([name]) => name === "signature");
  const signed = all.filter(
    ([name, value]) => name !== "signature" && value !== "" && value !== "null",
  );
  if (signatures.length !== 1 || signed.length === 0) return false;
  const text = [...signed, ["salt", apiKey]].map(([name, value]) => `${name}=${value}`).join("|");
  const expected = createHash("sha256").update(text).digest();
  return matches(signatures[0]?.[1] ?? null, expected);
}

function matches(signature: string | null, expected: Buffer): boolean {
  if (signature === null || !SHA256_HEX.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, "hex"), expected);
}
