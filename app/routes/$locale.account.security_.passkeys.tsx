import type { LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { PasskeyForm } from "~/components/account/passkey-form";
import { PasskeyList } from "~/components/account/passkey-list";
import { PasskeyRefusal } from "~/components/account/passkey-refusal";
import { ButtonLink } from "~/components/button";
import { DoneNotice } from "~/components/done-notice";
import { Page } from "~/components/page";
import { translatorFor } from "~/i18n/messages.server";
import { listPasskeys } from "~/models/accounts/passkeys.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
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

export const action = pageAction(async ({ request, params }) => {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  await requireFreshPage(user, { locale, path: `/${locale}/account/security/passkeys` });
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
});

export default function Passkeys() {
  const t = useTranslations();
  const { locale, done, passkeys } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>()?.refusal;
  const path = `/${locale}/account/security/passkeys`;
  return (
    <Page title={t("passkeys.title")} lead={t("passkeys.lead")}>
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
      <section className="grid max-w-text justify-items-start gap-3">
        <h2 className="text-xl font-semibold">{t("passkeys.addTitle")}</h2>
        <p>{t("passkeys.addText")}</p>
        <p className="text-ink-muted [html[data-passkeys]_&]:hidden">{t("passkeys.needed")}</p>
        <PasskeyForm
          purpose="register"
          action={path}
          label={t("passkeys.add")}
          confirm={`/${locale}/account/confirm?${new URLSearchParams({ redirectTo: path })}`}
        />
      </section>
      <p>
        <ButtonLink look="secondary" href={`/${locale}/account/security`}>
          {t("totp.back")}
        </ButtonLink>
      </p>
    </Page>
  );
}
