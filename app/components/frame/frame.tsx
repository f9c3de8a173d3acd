import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { FrameData } from "~/components/frame/frame-data";
import { SiteFooter } from "~/components/frame/site-footer";
import { SiteHeader } from "~/components/frame/site-header";

interface FrameProps extends FrameData {
  children: ReactNode;
}

/** The frame of every page: skip link, header, footer. */
export function Frame(props: FrameProps) {
  const { locale, user, theme, forgetPages, features, support, children } = props;
  const t = useTranslations();
  return (
    <>
      <a href="#main" className="skip">
        {t("nav.skip")}
      </a>
      <SiteHeader locale={locale} user={user} features={features} />
      {children}
      {forgetPages ? <img src="/forget-pages" alt="" width="0" height="0" /> : null}
      <SiteFooter
        locale={locale}
        isSignedIn={user !== null}
        theme={theme}
        features={features}
        support={support}
      />
    </>
  );
}
