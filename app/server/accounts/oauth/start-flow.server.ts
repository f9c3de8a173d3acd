import { redirect, type TypedResponse } from "@remix-run/node";
import { z } from "zod";
import type { Locale } from "~/i18n/locale";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { getUser } from "~/server/accounts/session.server";
import { requireFreshPage } from "~/server/accounts/step-up.server";
import { enforceAddressLimit } from "~/server/limits/address-limits.server";
import type { OauthProvider } from "~/services/auth/oauth/oauth-providers";
import { startOauth } from "~/services/auth/oauth/oauth-strategy.server";
import { wayBack } from "~/utils/way-back";
import { type OauthFlow, rememberFlow } from "./flow-cookie.server";

/** Fields of the buttons that lead to a provider. */
export const startSchema = z.object({
  purpose: z.enum(["sign_in", "link", "confirm"]).catch("sign_in"),
  redirectTo: wayBack,
});

interface Start extends z.output<typeof startSchema> {
  provider: OauthProvider;
  locale: Locale;
  clientAddress: string;
}

/**
 * Sends the person to the provider's page and remembers, in their browser only, what for.
 * @throws AppError 429 rate_limited
 */
export async function startFlow(
  request: Request,
  { provider, locale, clientAddress, purpose, redirectTo: wanted }: Start,
): Promise<TypedResponse<never>> {
  const user = await getUser(request);
  if (purpose !== "sign_in") await requireOwner(user, { provider, purpose, locale });
  const redirectTo = wanted === undefined ? {} : { redirectTo: wanted };
  await enforceAddressLimit("provider-address", clientAddress);
  const start = await startOauth(provider);
  if (!start) throw new Response(null, { status: 404 });
  const { url, state, handoff } = start;
  const sessionId = purpose === "sign_in" ? null : (user?.sessionId ?? null);
  const flow = { provider, purpose, state, handoff, sessionId, locale, ...redirectTo };
  return redirect(url, { status: 303, headers: { "Set-Cookie": await rememberFlow(flow) } });
}

/** @throws Response to the sign-in page for a visitor; for a link also to the page that asks who is there */
async function requireOwner(
  user: SessionUser | null,
  { provider, purpose, locale }: Pick<OauthFlow, "provider" | "purpose" | "locale">,
): Promise<void> {
  const path = `/${locale}/account/security`;
  if (!user) throw redirect(`/${locale}/sign-in?${new URLSearchParams({ redirectTo: path })}`, 303);
  if (purpose !== "link") return;
  const action = `/${locale}/auth/${provider}`;
  const form = { action, fields: { purpose }, what: "sign_in_methods" } as const;
  await requireFreshPage(user, { locale, path, form });
}
