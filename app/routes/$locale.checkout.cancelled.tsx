import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ButtonLink } from "~/components/button";
import { Page } from "~/components/page";
import { translatorFor } from "~/i18n/messages.server";
import { requireLocale } from "~/server/locale-param.server";

export function loader({ params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  return { title: translatorFor(locale)("checkout.cancelledTitle"), locale };
}

export default function CheckoutCancelled() {
  const t = useTranslations();
  const { locale } = useLoaderData<typeof loader>();
  return (
    <Page title={t("checkout.cancelledTitle")} lead={t("checkout.cancelledLead")}>
      <p>
        <ButtonLink href={`/${locale}/pricing`}>{t("checkout.backToPricing")}</ButtonLink>
      </p>
    </Page>
  );
}
