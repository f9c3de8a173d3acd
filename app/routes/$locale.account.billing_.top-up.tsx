import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AccountPage } from "~/components/account/account-page";
import { UtcNote } from "~/components/account/utc-note";
import { TopUpAttempts } from "~/components/billing/top-up-attempts";
import { TopUpForm } from "~/components/billing/top-up-form";
import { TopUpState } from "~/components/billing/top-up-state";
import { DoneNotice } from "~/components/done-notice";
import { PaymentRefusal } from "~/components/payments/payment-refusal";
import { Notice } from "~/components/ui/notice";
import { translatorFor } from "~/i18n/messages.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { limitForms } from "~/server/limits/limit-forms.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { TOP_UP_FIELDS, topUpSchema } from "~/services/payments/top-up-form";
import { fieldConstraints } from "~/utils/field-constraints";
import { pageHeaders } from "~/utils/page-headers";
import { getTopUp, saveFromForm, turnOffFromForm } from "./$locale.account.billing_.top-up.server";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  const found = await getTopUp(user);
  if (!found) throw new Response(null, { status: 404 });
  const { topUp, response } = found;
  const title = translatorFor(locale)("topUp.title");
  const done = new URL(request.url).searchParams.get("done");
  const loaded = { title, done, topUp, constraint: fieldConstraints(topUpSchema) };
  return response ? data(loaded, response) : loaded;
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  await limitForms(user);
  const form = await readForm(request, TOP_UP_FIELDS);
  const posted = { form, user, locale };
  return form.get("intent") === "off" ? turnOffFromForm(posted) : saveFromForm(posted);
}

export default function TopUp() {
  const t = useTranslations();
  const { done, topUp, constraint } = useLoaderData<typeof loader>();
  const response = useActionData<typeof action>();
  return (
    <AccountPage
      isNarrow
      back={{ path: "/account/billing", text: t("billing.title") }}
      title={t("topUp.title")}
      lead={t("topUp.lead")}
    >
      <PaymentRefusal refusal={response?.refusal} />
      <DoneNotice
        done={done}
        texts={{ saved: t("topUp.saved"), off: t("topUp.turnedOff"), "no-card": t("topUp.noCard") }}
      />
      {topUp.isWaiting ? <Notice tone="info">{t("topUp.waiting")}</Notice> : null}
      <TopUpState topUp={topUp} />
      {topUp.isOffered ? (
        <TopUpForm topUp={topUp} constraint={constraint} result={response?.result} />
      ) : null}
      <TopUpAttempts attempts={topUp.attempts} />
      <UtcNote />
    </AccountPage>
  );
}
