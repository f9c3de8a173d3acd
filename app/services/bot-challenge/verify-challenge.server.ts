import { randomUUID } from "node:crypto";
import { z } from "zod";
import { getEnv } from "~/env.server";
import type { ChallengeAction } from "~/services/bot-challenge/challenge";
import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";

/** Milliseconds for both tries together. */
const TIMEOUT_MS = 5_000;
const TRIES = 2;
/** Cloudflare's own limit for a token. */
const MAX_TOKEN_LENGTH = 2048;

/** Error codes that blame the token; all others blame our settings or Cloudflare. */
const TOKEN_FAULTS = new Set([
  "missing-input-response",
  "invalid-input-response",
  "timeout-or-duplicate",
]);

const verdictSchema = z.object({
  success: z.boolean(),
  hostname: z.string().optional(),
  action: z.string().optional(),
  "error-codes": z.array(z.string()).default([]),
});

export type ChallengeResult =
  | { status: "passed" }
  /** The token is used, expired, invented, or made for another form or site. */
  | { status: "refused"; reason: string }
  /** Cloudflare did not say whether the token is good, or refuses our secret key. */
  | { status: "unavailable"; reason: string };

/** Asks Cloudflare whether the token was made for this form of this site, and uses it up. */
export async function verifyChallenge({
  token,
  action,
  clientAddress,
}: {
  token: string;
  action: ChallengeAction;
  clientAddress: string;
}): Promise<ChallengeResult> {
  const { turnstile, siteUrl } = getEnv();
  if (!turnstile) return { status: "unavailable", reason: "off" };
  if (token.length > MAX_TOKEN_LENGTH) return { status: "refused", reason: "too_long" };
  const body = new URLSearchParams({
    secret: turnstile.secretKey,
    response: token,
    remoteip: clientAddress,
    // With one key the second try may repeat a first one whose response was lost.
    idempotency_key: randomUUID(),
  });
  let verdict: z.output<typeof verdictSchema>;
  try {
    verdict = await askSiteverify(`${turnstile.apiBase}/turnstile/v0/siteverify`, body);
  } catch (error) {
    return { status: "unavailable", reason: error instanceof Error ? error.name : "unknown" };
  }
  const codes = verdict["error-codes"];
  if (!verdict.success) {
    const isTokens = codes.length > 0 && codes.every((code) => TOKEN_FAULTS.has(code));
    return { status: isTokens ? "refused" : "unavailable", reason: codes.join(",") || "no_code" };
  }
  if (verdict.hostname !== siteUrl.hostname) return { status: "refused", reason: "other_hostname" };
  if (verdict.action !== action) return { status: "refused", reason: "other_action" };
  return { status: "passed" };
}

async function askSiteverify(url: string, body: URLSearchParams) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await outgoingFetch("botChallenge")(url, { method: "POST", body, signal });
      // Refusals come with 200 or 400 and a body that names the fault.
      if (response.status >= 500) throw new Error(`status ${response.status}`);
      return verdictSchema.parse(await response.json());
    } catch (error) {
      if (attempt === TRIES || signal.aborted) throw error;
    }
  }
}
