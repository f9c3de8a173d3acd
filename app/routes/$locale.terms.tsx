import type { LoaderFunctionArgs } from "@remix-run/node";
import { useTranslations } from "use-intl";
import { LegalPage } from "~/components/legal-page";
import type { PageHandle } from "~/components/page-handle";
import { translatorFor } from "~/i18n/messages.server";
import { requireLocale } from "~/server/request/locale-param.server";

export const handle: PageHandle = { sameForAll: true };

export function loader({ params }: LoaderFunctionArgs) {
  return { title: translatorFor(requireLocale(params))("legal.termsTitle") };
}

export default function Terms() {
  const t = useTranslations();
  const sections = [
    { title: t("legal.termsAccount"), text: t("legal.termsAccountText") },
    { title: t("legal.termsCredits"), text: t("legal.termsCreditsText") },
    { title: t("legal.termsPlans"), text: t("legal.termsPlansText") },
    { title: t("legal.termsContent"), text: t("legal.termsContentText") },
  ];
  return (
    <LegalPage title={t("legal.termsTitle")} lead={t("legal.termsLead")} sections={sections} />
  );
}
