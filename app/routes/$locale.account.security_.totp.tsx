import type { LoaderFunctionArgs } from "@remix-run/node";
import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AccountPage } from "~/components/account/account-page";
import { CodeForm } from "~/components/account/code-form";
import { RecoveryCodes } from "~/components/account/recovery-codes";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { translatorFor } from "~/i18n/messages.server";
import { countRecoveryCodes } from "~/models/accounts/recovery-codes.server";
import { getTotpState, startTotp } from "~/models/accounts/totp.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireFreshPage } from "~/server/accounts/step-up.server";
import { limitForms } from "~/server/limits/limit-forms.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { pageHeaders } from "~/utils/page-headers";
import {
  describeSetup,
  renewCodesFromForm,
  turnOffFromForm,
  turnOnFromForm,
} from "./$locale.account.security_.totp.server";

export const headers = pageHeaders;

/** Reading needs a fresh proof, too: the page shows the secret while the app is set up. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  await requireFreshPage(user, { locale, path: `/${locale}/account/security/totp` });
  const state = await getTotpState(user.id);
  return {
    title: translatorFor(locale)("totp.title"),
    locale,
    setup: state.status === "setup" ? describeSetup(state.secret, user.email) : null,
    on: state.status === "on" ? { readable: state.readable } : null,
    codesLeft: await countRecoveryCodes(user.id),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  const path = `/${locale}/account/security/totp`;
  await requireFreshPage(user, { locale, path });
  await limitForms(user);
  const form = await readForm(request, ["intent", "code"]);
  switch (form.get("intent")) {
    case "confirm":
      return turnOnFromForm({ form, user, locale });
    case "codes":
      return renewCodesFromForm({ user, locale });
    case "off":
      return turnOffFromForm({ user, locale });
    default:
      await startTotp(user.id);
      return redirect(path, 303);
  }
}

export default function Totp() {
  const t = useTranslations();
  const { setup, on, codesLeft } = useLoaderData<typeof loader>();
  const response = useActionData<typeof action>();
  return (
    <AccountPage
      isNarrow
      back={{ path: "/account/security", text: t("security.title") }}
      title={t("totp.title")}
      lead={t("totp.lead")}
    >
      {response?.recoveryCodes ? <RecoveryCodes codes={response.recoveryCodes} /> : null}
      {on ? <TurnedOn readable={on.readable} codesLeft={codesLeft} /> : null}
      {setup ? <Setup {...setup} result={response?.result} /> : null}
      {!on && !setup ? <Start /> : null}
    </AccountPage>
  );
}

function Start() {
  const t = useTranslations();
  return (
    <form method="post" className="card card-form wide-form">
      <p>{t("totp.startText")}</p>
      <Button name="intent" value="start">
        {t("totp.setUp")}
      </Button>
    </form>
  );
}

interface SetupProps extends ReturnType<typeof describeSetup> {
  result: Parameters<typeof CodeForm>[0]["result"];
}

function Setup({ uri, typed, picture, result }: SetupProps) {
  const t = useTranslations();
  return (
    <div className="card card-form wide-form">
      <div className="card-form">
        <p>{t("totp.scan")}</p>
        <img src={picture} alt={t("totp.pictureAlt")} width={240} height={240} className="qr" />
        <p>
          {t("totp.typeKey")} <code className="wrap-anywhere select-all">{typed}</code>
        </p>
        <p>
          <a href={uri} className="link-24">
            {t("totp.openApp")}
          </a>
        </p>
      </div>
      <CodeForm
        result={result}
        label={t("totp.code")}
        hint={t("totp.firstCodeHint")}
        submitLabel={t("totp.confirm")}
        intent="confirm"
      />
    </div>
  );
}

function TurnedOn({ readable, codesLeft }: { readable: boolean; codesLeft: number }) {
  const t = useTranslations();
  return (
    <form method="post" className="card card-form wide-form">
      {readable ? null : <Notice tone="warn">{t("totp.unreadable")}</Notice>}
      <p>{t("totp.isOn", { count: codesLeft })}</p>
      <Button look="secondary" name="intent" value="codes">
        {t("totp.newCodes")}
      </Button>
      <p className="small muted">{t("totp.newCodesNote")}</p>
      <Button look="danger-quiet" name="intent" value="off">
        {t("totp.turnOff")}
      </Button>
      <p className="small muted">{t("totp.turnOffNote")}</p>
    </form>
  );
}
