import { useTranslations } from "use-intl";
import { LastUsedMark } from "~/components/account/last-used-mark";
import type { Locale } from "~/i18n/locale";
import type { SignInWay } from "~/services/auth/sign-in-ways";

interface SignInLinkOfferProps {
  locale: Locale;
  /** The sign-in page's query, which says where to go afterwards. */
  search: string;
  lastWay: SignInWay | null;
}

/** Leads to the form that mails a sign-in link. */
export function SignInLinkOffer({ locale, search, lastWay }: SignInLinkOfferProps) {
  const t = useTranslations();
  return (
    <p className="flex flex-wrap items-baseline gap-x-3">
      <a href={`/${locale}/sign-in-link${search}`} className="text-accent underline">
        {t("signInLink.offer")}
      </a>
      <LastUsedMark way="sign_in_link" lastWay={lastWay} />
    </p>
  );
}
