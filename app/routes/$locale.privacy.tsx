import type { LoaderFunctionArgs } from "@remix-run/node";
import { useTranslations } from "use-intl";
import { LegalPage } from "~/components/legal-page";
import type { PageHandle } from "~/components/page-handle";
import { translatorFor } from "~/i18n/messages.server";
import { requireLocale } from "~/server/request/locale-param.server";

export const handle: PageHandle = { sameForAll: true };

export function loader({ params }: LoaderFunctionArgs) {
  return { title: translatorFor(requireLocale(params))("legal.privacyTitle") };
}

export default function Privacy() {
  const t = useTranslations();
  const sections = [
    { title: t("legal.privacyKept"), text: t("legal.privacyKeptText") },
    { title: t("legal.privacyShared"), text: t("legal.privacySharedText") },
    { title: t("legal.privacyCookies"), text: t("legal.privacyCookiesText") },
    { title: t("legal.privacyRights"), text: t("legal.privacyRightsText") },
  ];
  return (
    <LegalPage title={t("legal.privacyTitle")} lead={t("legal.privacyLead")} sections={sections} />
  );
}
