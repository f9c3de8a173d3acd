import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { LegalPage } from "~/components/legal-page";
import type { PageHandle } from "~/components/page-handle";
import { translatorFor } from "~/i18n/messages.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { isLegalTemplate } from "~/server/site/legal-texts.server";

export const handle: PageHandle = { sameForAll: true };

export function loader({ params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  return {
    title: translatorFor(locale)("legal.privacyTitle"),
    isTemplate: isLegalTemplate("privacy", locale),
  };
}

export default function Privacy() {
  const t = useTranslations();
  const { isTemplate } = useLoaderData<typeof loader>();
  const sections = [
    { title: t("legal.privacyKept"), text: t("legal.privacyKeptText") },
    { title: t("legal.privacyShared"), text: t("legal.privacySharedText") },
    { title: t("legal.privacyCookies"), text: t("legal.privacyCookiesText") },
    { title: t("legal.privacyRights"), text: t("legal.privacyRightsText") },
  ];
  return (
    <LegalPage
      title={t("legal.privacyTitle")}
      lead={t("legal.privacyLead")}
      sections={sections}
      isTemplate={isTemplate}
    />
  );
}
