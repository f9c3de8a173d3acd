import { createHmac, timingSafeEqual } from "node:crypto";
import type { Cookie } from "@remix-run/node";
import { z } from "zod";
import { getEnv } from "~/env.server";
import { LOCALES } from "~/i18n/locale";
import { OAUTH_STATE_MINUTES } from "~/models/accounts/oauth-states.server";
import { ownCookie } from "~/server/own-cookie.server";
import { OAUTH_PROVIDERS, type OauthProvider } from "~/services/auth/oauth/oauth-providers";

const flowSchema = z.object({
  provider: z.enum(OAUTH_PROVIDERS),
  purpose: z.enum(["sign_in", "link", "confirm"]),
  state: z.string().min(1),
  handoff: z.string().min(1),
  /** The session that began a link or a confirmation, and that has to end it. */
  sessionId: z.string().nullable(),
  redirectTo: z.string().optional(),
  locale: z.enum(LOCALES),
  startedAt: z.number(),
});

/** A sign-in, link or confirmation that waits for the person's return from the provider. */
export type OauthFlow = z.output<typeof flowSchema>;

/**
 * One cookie per provider, so a second start replaces the first. Signed with a key of its own, so that no other cookie's value is valid here.
 */
function flowCookie(provider: OauthProvider): Cookie {
  const { authSecret } = getEnv();
  return ownCookie(`oauth-${provider}`, {
    maxAge: OAUTH_STATE_MINUTES * 60,
    secrets: [createHmac("sha256", authSecret).update("oauth flow cookie").digest("base64url")],
  });
}

/** Returns the `Set-Cookie` value that remembers a flow. */
export function rememberFlow(flow: Omit<OauthFlow, "startedAt">) {
  return flowCookie(flow.provider).serialize({ ...flow, startedAt: Date.now() });
}

/** Returns the `Set-Cookie` value that forgets the provider's flow. */
export function forgetFlow(provider: OauthProvider): Promise<string> {
  return flowCookie(provider).serialize("", { maxAge: 0 });
}

/** Returns the flow that this browser began at the provider and that has this state; null for none. */
export async function findFlow(
  request: Request,
  { provider, state }: { provider: OauthProvider; state: string | null },
): Promise<OauthFlow | null> {
  const value: unknown = await flowCookie(provider).parse(request.headers.get("Cookie"));
  const flow = flowSchema.safeParse(value).data;
  if (!flow || flow.provider !== provider || !isSame(flow.state, state ?? "")) return null;
  const age = Date.now() - flow.startedAt;
  return age < OAUTH_STATE_MINUTES * 60_000 ? flow : null;
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
