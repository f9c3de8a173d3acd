import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { LastUsedMark } from "~/components/account/last-used-mark";
import { Button } from "~/components/ui/button";
import { type OauthProvider, PROVIDER_NAMES } from "~/services/auth/oauth/oauth-providers";
import type { SignInWay } from "~/services/auth/sign-in-ways";

interface ProviderButtonsProps {
  /** The providers to offer. Nothing is shown for none. */
  providers: OauthProvider[];
  purpose: "sign_in" | "confirm";
  redirectTo: string | undefined;
  /** How this browser signed in last. */
  lastWay?: SignInWay | null;
}

/** Buttons that sign in or confirm at a provider. Plain forms: their answer leads to another site. */
export function ProviderButtons({
  providers,
  purpose,
  redirectTo,
  lastWay = null,
}: ProviderButtonsProps) {
  const t = useTranslations();
  const { locale } = useParams();
  if (providers.length === 0) return null;
  return (
    <div className="grid max-w-form gap-3">
      {purpose === "sign_in" ? <p className="text-ink-2">{t("providers.or")}</p> : null}
      {providers.map((provider) => (
        <form key={provider} method="post" action={`/${locale}/auth/${provider}`} className="grid">
          <input type="hidden" name="purpose" value={purpose} />
          {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
          <Button look="secondary">
            {purpose === "confirm"
              ? t("providers.confirmWith", { provider: PROVIDER_NAMES[provider] })
              : t("providers.continueWith", { provider: PROVIDER_NAMES[provider] })}
          </Button>
          <LastUsedMark way={provider} lastWay={lastWay} />
        </form>
      ))}
    </div>
  );
}
