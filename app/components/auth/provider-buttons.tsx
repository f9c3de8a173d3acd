import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { LastUsedMark } from "~/components/account/last-used-mark";
import { ProviderIcon } from "~/components/auth/provider-icon";
import { Button } from "~/components/ui/button";
import { type OauthProvider, PROVIDER_NAMES } from "~/services/auth/oauth/oauth-providers";
import type { SignInMethod } from "~/services/auth/sign-in-methods";

interface ProviderButtonsProps {
  /** The providers to offer. Nothing is shown for none. */
  providers: OauthProvider[];
  purpose: "sign_in" | "confirm";
  redirectTo: string | undefined;
  /** How this browser signed in last. */
  lastMethod?: SignInMethod | null;
}

/** Buttons that sign in or confirm at a provider. Plain forms: their response leads to another site. */
export function ProviderButtons(props: ProviderButtonsProps) {
  const { providers, purpose, redirectTo, lastMethod = null } = props;
  const t = useTranslations();
  const { locale } = useParams();
  return providers.map((provider) => (
    <form key={provider} method="post" action={`/${locale}/auth/${provider}`}>
      <input type="hidden" name="purpose" value={purpose} />
      {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
      <Button look="secondary" size="large" wide className="auth-button">
        <ProviderIcon provider={provider} />
        {purpose === "confirm"
          ? t("providers.confirmWith", { provider: PROVIDER_NAMES[provider] })
          : t("providers.continueWith", { provider: PROVIDER_NAMES[provider] })}
        <LastUsedMark way={provider} lastMethod={lastMethod} />
      </Button>
    </form>
  ));
}
