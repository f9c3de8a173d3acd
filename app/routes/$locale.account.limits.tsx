import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AccountPage } from "~/components/account/account-page";
import { LowBalance } from "~/components/account/low-balance";
import { MonthlyLimit } from "~/components/account/monthly-limit";
import { UtcNote } from "~/components/account/utc-note";
import { DoneNotice } from "~/components/done-notice";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { listMutedEmails } from "~/models/emails/preferences.server";
import {
  getAccountLimits,
  setAccountLimit,
  setLowBalance,
} from "~/models/metering/account-settings.server";
import { accountOf } from "~/models/metering/runs.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireFreshPage } from "~/server/accounts/step-up.server";
import { limitForms } from "~/server/limits/limit-forms.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { limitsSchema, lowBalanceSchema } from "~/services/auth/account-forms";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  const { limit, used, resetsAt, lowBalance } = await getAccountLimits(accountOf(user));
  const muted = await listMutedEmails(user.id);
  return {
    title: translatorFor(locale)("limits.title"),
    done: new URL(request.url).searchParams.get("done"),
    monthly: { limit, used, resetsAt },
    // Null while no email can be sent.
    low: getEnv().email && { lowBalance, isMuted: muted.includes("low_balance") },
  };
}

const FIELDS = [
  "intent",
  ...Object.keys(limitsSchema.shape),
  ...Object.keys(lowBalanceSchema.shape),
];

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  await limitForms(user);
  const form = await readForm(request, FIELDS);
  const path = `/${locale}/account/limits`;
  const accountId = accountOf(user);
  if (form.get("intent") === "low-balance") {
    const submission = parseWithZod(form, { schema: lowBalanceSchema });
    if (submission.status !== "success") return formRefused({ submission, hide: [] });
    await setLowBalance({ accountId, credits: submission.value.lowBalance ?? null });
    return redirect(`${path}?done=low-balance`, 303);
  }
  const submission = parseWithZod(form, { schema: limitsSchema });
  if (submission.status !== "success") return formRefused({ submission, hide: [] });
  const { monthlyLimit = null } = submission.value;
  const fields = { monthlyLimit: String(monthlyLimit ?? "") };
  await requireFreshPage(user, { locale, path, form: { action: path, fields, what: "limits" } });
  await setAccountLimit({ accountId, limit: monthlyLimit });
  return redirect(`${path}?done=limits`, 303);
}

export default function Limits() {
  const t = useTranslations();
  const { title, done, monthly, low } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const isLow = result?.initialValue?.intent === "low-balance";
  return (
    <AccountPage isNarrow title={title} lead={t("limits.lead")}>
      <DoneNotice
        done={done}
        texts={{ limits: t("limits.saved"), "low-balance": t("limits.lowSaved") }}
      />
      <MonthlyLimit {...monthly} result={isLow ? undefined : result} />
      {low ? <LowBalance {...low} result={isLow ? result : undefined} /> : null}
      <UtcNote />
    </AccountPage>
  );
}
