import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AccountPage } from "~/components/account/account-page";
import { UtcNote } from "~/components/account/utc-note";
import { DoneNotice } from "~/components/done-notice";
import { Time } from "~/components/time";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Field } from "~/components/ui/field";
import { FormErrors } from "~/components/ui/form-errors";
import { formAttributes, serverForm } from "~/components/ui/server-form";
import { translatorFor } from "~/i18n/messages.server";
import { getAccountLimit, setAccountLimit } from "~/models/metering/account-limit.server";
import { accountOf } from "~/models/metering/runs.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireFreshPage } from "~/server/accounts/step-up.server";
import { limitForms } from "~/server/limits/limit-forms.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { limitsSchema } from "~/services/auth/account-forms";
import { fieldConstraints } from "~/utils/field-constraints";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  return {
    title: translatorFor(locale)("limits.title"),
    done: new URL(request.url).searchParams.get("done"),
    ...(await getAccountLimit(accountOf(user))),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  await limitForms(user);
  const form = await readForm(request, Object.keys(limitsSchema.shape));
  const submission = parseWithZod(form, { schema: limitsSchema });
  if (submission.status !== "success") return formRefused({ submission, hide: [] });
  const path = `/${locale}/account/limits`;
  const { monthlyLimit = null } = submission.value;
  const fields = { monthlyLimit: String(monthlyLimit ?? "") };
  await requireFreshPage(user, { locale, path, form: { action: path, fields, what: "limits" } });
  await setAccountLimit({ accountId: accountOf(user), limit: monthlyLimit });
  return redirect(`${path}?done=limits`, 303);
}

export default function Limits() {
  const t = useTranslations();
  const { done, limit, used, resetsAt } = useLoaderData<typeof loader>();
  const { form, field } = serverForm<"monthlyLimit">({
    id: "limits",
    result: useActionData<typeof action>()?.result,
    constraint: fieldConstraints(limitsSchema),
    defaultValue: { monthlyLimit: limit === null ? undefined : String(limit) },
  });
  return (
    <AccountPage isNarrow title={t("limits.title")} lead={t("limits.lead")}>
      <DoneNotice done={done} texts={{ limits: t("limits.saved") }} />
      <Card id="monthly" title={t("limits.monthlyTitle")}>
        <form method="post" {...formAttributes(form)} className="card-form">
          <FormErrors form={form} />
          <p>
            {limit === null ? t("limits.usedFree", { used }) : t("limits.usedOf", { used, limit })}{" "}
            {t("limits.resets")} <Time at={resetsAt} />
          </p>
          <Field
            field={field("monthlyLimit")}
            label={t("apiKeys.monthlyLimit")}
            hint={t("limits.monthlyHint")}
            type="text"
            autoComplete="off"
          />
          <Button>{t("limits.save")}</Button>
        </form>
      </Card>
      <UtcNote />
    </AccountPage>
  );
}
