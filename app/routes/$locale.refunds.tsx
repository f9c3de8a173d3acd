import type { LoaderFunctionArgs } from "@remix-run/node";
import { useTranslations } from "use-intl";
import { LegalPage } from "~/components/legal-page";
import type { PageHandle } from "~/components/page-handle";
import { translatorFor } from "~/i18n/messages.server";
import { requireLocale } from "~/server/request/locale-param.server";

export const handle: PageHandle = { sameForAll: true };

export function loader({ params }: LoaderFunctionArgs) {
  return { title: translatorFor(requireLocale(params))("legal.refundsTitle") };
}

export default function Refunds() {
  const t = useTranslations();
  const sections = [
    { title: t("legal.refundsFailed"), text: t("legal.refundsFailedText") },
    { title: t("legal.refundsPacks"), text: t("legal.refundsPacksText") },
    { title: t("legal.refundsPlans"), text: t("legal.refundsPlansText") },
    { title: t("legal.refundsAsk"), text: t("legal.refundsAskText") },
  ];
  return (
    <LegalPage title={t("legal.refundsTitle")} lead={t("legal.refundsLead")} sections={sections} />
  );
}
