import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ButtonLink } from "~/components/button";
import { Page } from "~/components/page";
import { translatorFor } from "~/i18n/messages.server";
import { verifyEmail } from "~/models/accounts/email-verification.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageMeta } from "~/utils/page-meta";

export const meta = pageMeta;

/** The link of a verification mail: a GET that changes something, as often as it is opened once. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const { status } = await verifyEmail(token);
  const t = translatorFor(locale);
  const verified = status === "verified";
  const title = verified ? t("verifyEmail.title") : t("verifyEmail.invalidTitle");
  return data({ title, locale, verified }, { status: verified ? 200 : 400 });
}

export default function VerifyEmail() {
  const t = useTranslations();
  const { title, locale, verified } = useLoaderData<typeof loader>();
  return (
    <Page title={title} lead={verified ? t("verifyEmail.lead") : t("verifyEmail.invalidLead")}>
      <p>
        {verified ? (
          <ButtonLink to={`/${locale}/account`}>{t("verifyEmail.openAccount")}</ButtonLink>
        ) : (
          <ButtonLink to={`/${locale}/account/profile`}>{t("verifyEmail.again")}</ButtonLink>
        )}
      </p>
    </Page>
  );
}
