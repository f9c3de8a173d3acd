import { useActionData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { WriteToUs } from "~/components/support/write-to-us";
import { Notice } from "~/components/ui/notice";
import { type OauthProvider, PROVIDER_NAMES } from "~/services/auth/oauth/oauth-providers";
import type { ProviderError } from "~/services/auth/oauth/provider-error";

const TEXTS = {
  denied: "providers.denied",
  expired: "providers.expired",
  unavailable: "providers.unavailable",
  email_unverified: "providers.emailUnverified",
  email_taken: "providers.emailTaken",
  account_disabled: "providers.accountDisabled",
  rate_limited: "providers.rateLimited",
  belongs_to_other: "providers.belongsToOther",
  other_linked: "providers.otherLinked",
  not_fresh: "providers.notFresh",
  not_linked: "providers.notLinked",
  has_password: "providers.hasPassword",
  last_way: "providers.lastMethod",
} as const satisfies Record<ProviderError, string>;

interface ProviderErrorNoticeProps {
  notice: { error: ProviderError; provider: OauthProvider } | null;
}

/** Says why a provider's button did not work, until another form of the page is sent. */
export function ProviderErrorNotice({ notice }: ProviderErrorNoticeProps) {
  const t = useTranslations();
  const isOld = useActionData() !== undefined;
  if (!notice || isOld) return null;
  return (
    <Notice tone="bad">
      {t(TEXTS[notice.error], { provider: PROVIDER_NAMES[notice.provider] })}{" "}
      {notice.error === "account_disabled" ? <WriteToUs /> : null}
    </Notice>
  );
}
