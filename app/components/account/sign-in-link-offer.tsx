import { useTranslations } from "use-intl";
import { LastUsedMark } from "~/components/account/last-used-mark";
import { ButtonLink } from "~/components/ui/button";
import { Icon } from "~/components/ui/icon";
import type { Locale } from "~/i18n/locale";
import type { SignInMethod } from "~/services/auth/sign-in-methods";

interface SignInLinkOfferProps {
  locale: Locale;
  /** The sign-in page's query, which says where to go afterwards. */
  search: string;
  lastMethod: SignInMethod | null;
}

/** Leads to the form that mails a sign-in link. */
export function SignInLinkOffer({ locale, search, lastMethod }: SignInLinkOfferProps) {
  const t = useTranslations();
  return (
    <ButtonLink look="quiet" wide href={`/${locale}/sign-in-link${search}`}>
      <Icon name="mail" />
      {t("signInLink.offer")}
      <LastUsedMark way="sign_in_link" lastMethod={lastMethod} />
    </ButtonLink>
  );
}
