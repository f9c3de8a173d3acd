import { redirect, type TypedResponse } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { isOauthProvider, type OauthProvider } from "~/services/auth/oauth/oauth-providers";
import { PROVIDER_ERRORS, type ProviderError } from "~/services/auth/oauth/provider-error";
import type { OauthFlow } from "./flow-cookie.server";

const PAGES: Record<OauthFlow["purpose"], string> = {
  sign_in: "sign-in",
  link: "account/security",
  confirm: "account/confirm",
};

/** Sends a person back to the page they began on, which says what went wrong. */
export function redirectWithError(
  { purpose, locale, redirectTo }: Pick<OauthFlow, "purpose" | "redirectTo"> & { locale: Locale },
  { provider, error }: { provider: OauthProvider; error: ProviderError },
): TypedResponse<never> {
  const query = new URLSearchParams({ error, provider, ...(redirectTo ? { redirectTo } : {}) });
  return redirect(`/${locale}/${PAGES[purpose]}?${query}`, 303);
}

/** Reads a provider's message from a page's address; null for anything but our own codes. */
export interface ProviderNotice {
  error: ProviderError;
  provider: OauthProvider;
}

export function readProviderNotice(request: Request): ProviderNotice | null {
  const query = new URL(request.url).searchParams;
  const error = PROVIDER_ERRORS.find((code) => code === query.get("error"));
  const provider = query.get("provider");
  return error && isOauthProvider(provider) ? { error, provider } : null;
}
