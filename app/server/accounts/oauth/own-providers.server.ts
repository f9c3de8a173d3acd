import { redirect, type TypedResponse } from "@remix-run/node";
import type { ShownProvider } from "~/components/account/linked-providers";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import { listLinks, unlinkProvider } from "~/models/accounts/oauth-links.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { listSignInMethods } from "~/models/accounts/sign-in-methods.server";
import { requireFreshPage } from "~/server/accounts/step-up.server";
import { enabledProviders } from "~/services/auth/oauth/oauth-endpoints";
import {
  isOauthProvider,
  OAUTH_PROVIDERS,
  type OauthProvider,
} from "~/services/auth/oauth/oauth-providers";
import { securityEvent } from "~/utils/security-event.server";
import { redirectWithError } from "./return-pages.server";

/** The providers that the user has linked or can link, in the order of the sign-in page's buttons. */
export async function listShownProviders(userId: string): Promise<ShownProvider[]> {
  const enabled = enabledProviders(getEnv().oauth);
  const [links, ways] = await Promise.all([listLinks(userId), listSignInMethods(userId)]);
  const usable = enabled.filter((provider) => ways.providers.includes(provider));
  const hasOther = (provider: OauthProvider) =>
    ways.hasPassword || ways.passkeys > 0 || usable.some((other) => other !== provider);
  return OAUTH_PROVIDERS.map((provider) => {
    const link = links.find((one) => one.provider === provider) ?? null;
    return {
      provider,
      enabled: enabled.includes(provider),
      link: link && { label: link.label, createdAt: link.createdAt },
      isLastMethod: link !== null && !hasOther(provider),
    };
  }).filter((shown) => shown.enabled || shown.link);
}

/** The providers with which the user can prove who they are: none for an account with a password. */
export async function listConfirmingProviders(userId: string): Promise<OauthProvider[]> {
  const { providers } = await listSignInMethods(userId);
  return enabledProviders(getEnv().oauth).filter((provider) => providers.includes(provider));
}

/** Unlinks the provider that the form names. */
export async function unlinkFromForm({
  form,
  user,
  locale,
}: {
  form: FormData;
  user: SessionUser;
  locale: Locale;
}): Promise<TypedResponse<never>> {
  const path = `/${locale}/account/security`;
  const provider = form.get("provider");
  if (!isOauthProvider(provider)) throw new Response(null, { status: 400 });
  const fields = { intent: "unlink", provider };
  const again = { action: path, fields, what: "sign_in_methods" } as const;
  await requireFreshPage(user, { locale, path, form: again });
  const { id: userId, sessionId } = user;
  const enabled = enabledProviders(getEnv().oauth);
  const result = await unlinkProvider({ userId, sessionId, provider, enabled });
  if (result.status !== "unlinked") {
    const reason = result.status;
    const details = { provider };
    securityEvent("provider_unlinked", { outcome: "failure", userId, sessionId, reason, details });
    return redirectWithError({ purpose: "link", locale }, { provider, error: result.status });
  }
  const details = { provider, sessionsEnded: result.sessionsEnded };
  securityEvent("provider_unlinked", { outcome: "success", userId, sessionId, details });
  return redirect(`${path}?done=unlinked`, 303);
}
