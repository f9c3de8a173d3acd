import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ButtonLink } from "~/components/button";
import { Page } from "~/components/page";
import { ReturnNote } from "~/components/payments/return-note";
import { translatorFor } from "~/i18n/messages.server";
import { requireLocale } from "~/server/locale-param.server";

/** The return page of a hosted checkout. It changes nothing: only webhooks add credits. */
export function loader({ params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  return { title: translatorFor(locale)("checkout.successTitle"), locale };
}

export default function CheckoutSuccess() {
  const t = useTranslations();
  const { locale } = useLoaderData<typeof loader>();
  return (
    <Page title={t("checkout.successTitle")} lead={t("checkout.successLead")}>
      <div className="grid max-w-text gap-1 text-ink-muted">
        <p>{t("checkout.noEffect")}</p>
        <ReturnNote />
      </div>
      <p className="flex flex-wrap items-center gap-4">
        <ButtonLink href={`/${locale}/account`}>{t("checkout.openAccount")}</ButtonLink>
        <a href={`/${locale}/account/billing`} className="text-accent underline">
          {t("account.openBilling")}
        </a>
      </p>
    </Page>
  );
}
