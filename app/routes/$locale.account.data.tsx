import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AccountNav } from "~/components/account/account-nav";
import { ButtonLink } from "~/components/button";
import { Page } from "~/components/page";
import { translatorFor } from "~/i18n/messages.server";
import { requireLocale } from "~/server/locale-param.server";
import { requirePageUser } from "~/server/session.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  await requirePageUser(request, locale);
  return { title: translatorFor(locale)("accountData.title"), locale };
}

export default function AccountData() {
  const t = useTranslations();
  const { locale } = useLoaderData<typeof loader>();
  return (
    <Page title={t("accountData.title")} lead={t("accountData.lead")}>
      <AccountNav />
      <section className="grid max-w-text justify-items-start gap-3">
        <h2 className="text-xl font-semibold">{t("accountData.exportTitle")}</h2>
        <p>{t("accountData.exportText")}</p>
        <ButtonLink href={`/${locale}/account/export`}>{t("accountData.export")}</ButtonLink>
      </section>
      <section className="grid max-w-text justify-items-start gap-3">
        <h2 className="text-xl font-semibold">{t("accountData.deleteTitle")}</h2>
        <p>{t("accountData.deleteText")}</p>
        <ButtonLink look="danger" href={`/${locale}/account/delete`}>
          {t("accountData.delete")}
        </ButtonLink>
      </section>
    </Page>
  );
}
