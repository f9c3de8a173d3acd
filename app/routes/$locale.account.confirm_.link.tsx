import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { NarrowPage } from "~/components/narrow-page";
import { StatePage } from "~/components/state-page";
import { Button, ButtonLink } from "~/components/ui/button";
import { translatorFor } from "~/i18n/messages.server";
import { isConfirmLinkUsable, spendConfirmLink } from "~/models/accounts/confirm-links.server";
import { listReauthenticationMethods } from "~/models/accounts/reauthentication-methods.server";
import { requireEmail } from "~/server/accounts/account-emails.server";
import { confirmIdentity } from "~/server/accounts/confirm-identity.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requestConfirmLink } from "~/server/accounts/sign-in-links.server";
import { limitForms } from "~/server/limits/limit-forms.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { AppError } from "~/utils/app-error";
import { ERROR_STATUS } from "~/utils/error-codes";
import { pageHeaders } from "~/utils/page-headers";
import { secretLinkMeta } from "~/utils/page-meta";
import { securityEvent } from "~/utils/security-event.server";
import { readWayBack, wayBackOf } from "~/utils/way-back";

export const meta = secretLinkMeta;
export const headers = pageHeaders;

/** The link that confirms who is there, without a password. Opening it changes nothing. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { sessionId } = await requirePageUser(request, locale);
  const token = new URL(request.url).searchParams.get("token");
  const usable = token !== null && (await isConfirmLinkUsable({ token, sessionId }));
  const state = usable
    ? ("ready" as const)
    : token === null
      ? ("sent" as const)
      : ("invalid" as const);
  return data(
    { title: translatorFor(locale)("confirmIdentity.title"), locale, state },
    { status: state === "invalid" ? ERROR_STATUS.invalid_link : 200 },
  );
}

/** Without a token, mails a link; with one, confirms. */
export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  const { id: userId, sessionId } = user;
  const { searchParams } = new URL(request.url);
  const token = searchParams.get("token");
  if (token === null) {
    const redirectTo = readWayBack((await readForm(request, ["redirectTo"])).get("redirectTo"));
    requireEmail();
    if (!(await listReauthenticationMethods(userId)).elsewhere)
      throw redirect(`/${locale}/account/confirm`, 303);
    await requestConfirmLink({ userId, sessionId, redirectTo });
    return redirect(`/${locale}/account/confirm/link`, 303);
  }
  await limitForms(user);
  if ((await spendConfirmLink({ token, sessionId })) === "invalid_link") {
    const details = { way: "confirm_link" };
    const reason = "invalid_link";
    securityEvent("identity_check", { outcome: "failure", userId, sessionId, reason, details });
    return formRefused({ error: linkRefused() });
  }
  const redirectTo = wayBackOf(request);
  return confirmIdentity(user, { way: "confirm_link", locale, redirectTo });
}

function linkRefused(): AppError {
  return new AppError({
    code: "invalid_link",
    publicMessage: "This link no longer works, or you asked for it in another browser.",
  });
}

export default function ConfirmByLink() {
  const t = useTranslations();
  const { locale, state } = useLoaderData<typeof loader>();
  switch (state) {
    case "ready":
      return (
        <NarrowPage title={t("confirmIdentity.title")} lead={t("confirmIdentity.linkLead")}>
          <form method="post">
            <Button size="large" wide>
              {t("confirmIdentity.submit")}
            </Button>
          </form>
        </NarrowPage>
      );
    case "sent":
      return (
        <StatePage
          art="email"
          title={t("confirmIdentity.linkSentTitle")}
          lead={t("confirmIdentity.linkSent")}
        />
      );
    case "invalid":
      return (
        <StatePage
          art="expired-link"
          title={t("signInLink.invalidTitle")}
          lead={t("confirmIdentity.linkInvalid")}
        >
          <ButtonLink href={`/${locale}/account/confirm`}>{t("confirmIdentity.again")}</ButtonLink>
        </StatePage>
      );
  }
}
