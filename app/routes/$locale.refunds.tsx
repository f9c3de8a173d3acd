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
    title: translatorFor(locale)("legal.refundsTitle"),
    isTemplate: isLegalTemplate("refunds", locale),
  };
}

export default function Refunds() {
  const t = useTranslations();
  const { isTemplate } = useLoaderData<typeof loader>();
  const sections = [
    { title: t("legal.refundsFailed"), text: t("legal.refundsFailedText") },
    { title: t("legal.refundsPacks"), text: t("legal.refundsPacksText") },
    { title: t("legal.refundsPlans"), text: t("legal.refundsPlansText") },
    { title: t("legal.refundsAsk"), text: t("legal.refundsAskText") },
  ];
  return (
    <LegalPage
      title={t("legal.refundsTitle")}
      lead={t("legal.refundsLead")}
      sections={sections}
      isTemplate={isTemplate}
    />
  );
}
