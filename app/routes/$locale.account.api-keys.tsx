import { randomUUID } from "node:crypto";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AccountPage } from "~/components/account/account-page";
import { ApiKeyForm } from "~/components/account/api-key-form";
import { ApiKeyList } from "~/components/account/api-key-list";
import { NewApiKey } from "~/components/account/new-api-key";
import { UtcNote } from "~/components/account/utc-note";
import { DoneNotice } from "~/components/done-notice";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { listApiKeys } from "~/models/accounts/api-keys.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { limitForms } from "~/server/limits/limit-forms.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { apiKeySchema } from "~/services/auth/account-forms";
import { pageHeaders } from "~/utils/page-headers";
import { createFromForm, neededProof, revokeFromForm } from "./$locale.account.api-keys.server";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  return {
    title: translatorFor(locale)("apiKeys.title"),
    done: new URL(request.url).searchParams.get("done"),
    keys: await listApiKeys(user.id),
    proof: await neededProof(user),
    origin: getEnv().siteUrl.origin,
    formId: randomUUID(),
  };
}

const FIELDS = ["intent", "keyId", ...Object.keys(apiKeySchema.shape)];

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  await limitForms(user);
  const form = await readForm(request, FIELDS, { repeated: ["scopes"] });
  const posted = { form, user, locale };
  return form.get("intent") === "revoke" ? revokeFromForm(posted) : createFromForm(posted);
}

export default function ApiKeys() {
  const t = useTranslations();
  const { done, keys, proof, origin, formId } = useLoaderData<typeof loader>();
  const response = useActionData<typeof action>();
  const made = response && "made" in response ? response.made : null;
  return (
    <AccountPage isNarrow title={t("apiKeys.title")} lead={t("apiKeys.lead")}>
      <DoneNotice done={done} texts={{ revoked: t("apiKeys.revoked") }} />
      {made ? <NewApiKey {...made} origin={origin} /> : null}
      <ApiKeyList keys={keys} />
      {keys.length > 0 ? <UtcNote /> : null}
      <ApiKeyForm proof={proof} formId={formId} result={response?.result} />
    </AccountPage>
  );
}
