import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AccountPage } from "~/components/account/account-page";
import { KeepPlan } from "~/components/billing/keep-plan";
import { usePlanSentence } from "~/components/billing/use-plan-sentence";
import { PaymentRefusal } from "~/components/payments/payment-refusal";
import { ButtonLink } from "~/components/ui/button";
import { usePlanName } from "~/components/use-plan-name";
import { translatorFor } from "~/i18n/messages.server";
import { resumeSubscription } from "~/models/billing/cancellations/resumptions.server";
import { findOwnSubscription } from "~/models/billing/subscriptions/management.server";
import { showSubscription } from "~/models/billing/subscriptions/shown-subscription";
import { requirePageUser } from "~/server/accounts/session.server";
import {
  limitCancellations,
  noSubscription,
  subscriptionEnded,
} from "~/server/payments/payments.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

/** The subscription is named: there may be two. */
const subscriptionIdOf = (request: Request): string =>
  new URL(request.url).searchParams.get("subscription") ?? "";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const subscription = await findOwnSubscription(userId, undefined, subscriptionIdOf(request));
  if (!subscription) throw new Response(null, { status: 404 });
  const plan = showSubscription(subscription, new Date());
  const t = translatorFor(locale);
  const title = plan.keepable ? t("resumePlan.titleShort") : t("resumePlan.notNeeded");
  return { title, locale, plan };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  try {
    await limitCancellations(userId);
    const subscriptionId = subscriptionIdOf(request);
    const { status } = await resumeSubscription({ userId, subscriptionId }, getPaymentProvider);
    if (status === "not_found") throw noSubscription();
    if (status === "ended") throw subscriptionEnded();
    return redirect(`/${locale}/account/billing?done=resumed`, 303);
  } catch (error) {
    return formRefused({ error });
  }
}

export default function ResumePlan() {
  const t = useTranslations();
  const sentence = usePlanSentence();
  const planName = usePlanName();
  const { locale, plan } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>()?.refusal;
  const title = plan.keepable
    ? t("resumePlan.title", { plan: planName(plan.planKey) })
    : t("resumePlan.notNeeded");
  return (
    <AccountPage
      back={{ path: "/account/billing", text: t("billing.title") }}
      title={title}
      lead={sentence(plan)}
    >
      <PaymentRefusal refusal={refusal} />
      {plan.keepable ? (
        <>
          <p>{t("resumePlan.lead")}</p>
          <KeepPlan plan={plan} size="large" />
        </>
      ) : (
        <p>
          <ButtonLink href={`/${locale}/account/billing`}>{t("cancelPlan.back")}</ButtonLink>
        </p>
      )}
    </AccountPage>
  );
}
