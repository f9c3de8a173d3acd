import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AccountPage } from "~/components/account/account-page";
import { PasskeyForm } from "~/components/account/passkey-form";
import { PasskeyList } from "~/components/account/passkey-list";
import { PasskeyRefusal } from "~/components/account/passkey-refusal";
import { UtcNote } from "~/components/account/utc-note";
import { DoneNotice } from "~/components/done-notice";
import { Card } from "~/components/ui/card";
import { translatorFor } from "~/i18n/messages.server";
import { listPasskeys } from "~/models/accounts/passkeys.server";
import { limitForms } from "~/server/limit-forms.server";
import { requireLocale } from "~/server/locale-param.server";
import { readForm } from "~/server/read-body.server";
import { requirePageUser } from "~/server/session.server";
import { requireFreshPage } from "~/server/step-up.server";
import { pageHeaders } from "~/utils/page-headers";
import {
  addFromForm,
  removeFromForm,
  renameFromForm,
} from "./$locale.account.security_.passkeys.server";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  return {
    title: translatorFor(locale)("passkeys.title"),
    locale,
    done: new URL(request.url).searchParams.get("done"),
    passkeys: await listPasskeys(userId),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  await requireFreshPage(user, { locale, path: `/${locale}/account/security/passkeys` });
  await limitForms(user);
  const form = await readForm(request, ["intent", "response", "passkeyId", "name"]);
  const posted = { form, user, locale };
  switch (form.get("intent")) {
    case "rename":
      return renameFromForm(posted);
    case "remove":
      return removeFromForm(posted);
    default:
      return addFromForm(request, posted);
  }
}

export default function Passkeys() {
  const t = useTranslations();
  const { locale, done, passkeys } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>()?.refusal;
  const path = `/${locale}/account/security/passkeys`;
  return (
    <AccountPage
      isNarrow
      back={{ path: "/account/security", text: t("security.title") }}
      title={t("passkeys.title")}
      lead={t("passkeys.lead")}
    >
      <DoneNotice
        done={done}
        texts={{
          added: t("passkeys.added"),
          renamed: t("passkeys.renamed"),
          removed: t("passkeys.removed"),
        }}
      />
      <PasskeyRefusal refusal={refusal} />
      <PasskeyList passkeys={passkeys} />
      {passkeys.length > 0 ? <UtcNote /> : null}
      <Card id="add" title={t("passkeys.addTitle")}>
        <div className="card-form">
          <p className="muted">{t("passkeys.addText")}</p>
          <p className="muted lacks-passkeys">{t("passkeys.needed")}</p>
          <PasskeyForm
            purpose="register"
            action={path}
            label={t("passkeys.add")}
            confirm={`/${locale}/account/confirm?${new URLSearchParams({ redirectTo: path })}`}
          />
        </div>
      </Card>
    </AccountPage>
  );
}
