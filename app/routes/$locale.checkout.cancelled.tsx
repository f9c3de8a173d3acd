import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { StatePage } from "~/components/state-page";
import { ButtonLink } from "~/components/ui/button";
import { translatorFor } from "~/i18n/messages.server";
import { requireLocale } from "~/server/request/locale-param.server";

export function loader({ params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  return { title: translatorFor(locale)("checkout.cancelledTitle"), locale };
}

export default function CheckoutCancelled() {
  const t = useTranslations();
  const { locale } = useLoaderData<typeof loader>();
  return (
    <StatePage
      art="credits"
      title={t("checkout.cancelledTitle")}
      lead={t("checkout.cancelledLead")}
    >
      <ButtonLink href={`/${locale}/pricing`}>{t("checkout.backToPricing")}</ButtonLink>
    </StatePage>
  );
}
