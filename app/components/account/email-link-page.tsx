import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { NarrowPage } from "~/components/narrow-page";
import { Notice } from "~/components/ui/notice";
import type { Locale } from "~/i18n/locale";

interface EmailLinkPageProps {
  title: string;
  lead: string;
  locale: Locale;
  /** Says that this server can't send email; null where it can. */
  offText: ReactNode;
  /** The form that asks for the link. */
  children: ReactNode;
}

/** The page of a visitor who asks for a link by email. It says the same for every address. */
export function EmailLinkPage(props: EmailLinkPageProps) {
  const { title, lead, locale, offText, children } = props;
  const t = useTranslations();
  return (
    <NarrowPage
      title={title}
      lead={lead}
      after={
        <p className="center">
          <a href={`/${locale}/sign-in`} className="link-24">
            {t("forgotPassword.back")}
          </a>
        </p>
      }
    >
      {offText === null ? children : <Notice tone="warn">{offText}</Notice>}
    </NarrowPage>
  );
}
