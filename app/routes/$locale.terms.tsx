import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { LegalPage } from "~/components/legal-page";
import type { PageHandle } from "~/components/page-handle";
import { offersTopUp } from "~/env/payments";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { isLegalTemplate } from "~/server/site/legal-texts.server";

export const handle: PageHandle = { sameForAll: true };

export function loader({ params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  return {
    title: translatorFor(locale)("legal.termsTitle"),
    hasTopUp: offersTopUp(getEnv().payments),
    isTemplate: isLegalTemplate("terms", locale),
  };
}

export default function Terms() {
  const t = useTranslations();
  const { isTemplate, hasTopUp } = useLoaderData<typeof loader>();
  const sections = [
    { title: t("legal.termsAccount"), text: t("legal.termsAccountText") },
    { title: t("legal.termsCredits"), text: t("legal.termsCreditsText") },
    { title: t("legal.termsPlans"), text: t("legal.termsPlansText") },
    ...(hasTopUp ? [{ title: t("legal.termsTopUp"), text: t("legal.termsTopUpText") }] : []),
    { title: t("legal.termsContent"), text: t("legal.termsContentText") },
  ];
  return (
    <LegalPage
      title={t("legal.termsTitle")}
      lead={t("legal.termsLead")}
      sections={sections}
      isTemplate={isTemplate}
    />
  );
}
