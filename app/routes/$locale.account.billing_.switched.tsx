import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData, useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { usePlanSentence } from "~/components/billing/use-plan-sentence";
import { CheckoutWaiting } from "~/components/payments/checkout-waiting";
import { PurchaseArrived } from "~/components/payments/purchase-arrived";
import { ReturnNote } from "~/components/payments/return-note";
import { usePurchaseFacts } from "~/components/payments/use-purchase-facts";
import { ButtonLink } from "~/components/ui/button";
import { useMoney } from "~/components/use-money";
import { usePlanName } from "~/components/use-plan-name";
import { translatorFor } from "~/i18n/messages.server";
import { mainAction } from "~/models/actions/registry.server";
import { findPlanSwitch } from "~/models/billing/changes/plan-switch.server";
import { showSubscription } from "~/models/billing/subscriptions/shown-subscription";
import { getBalance } from "~/models/credits/balance.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { findWaiting } from "~/server/metering/draft.server";
import { nextLook } from "~/server/payments/waiting-page.server";
import { requireLocale } from "~/server/request/locale-param.server";

/** The page after a change of plan that was made at once. It waits for the payment's webhook, and then shows the credits. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const subscriptionId = new URL(request.url).searchParams.get("subscription") ?? "";
  const [found, balance, draft] = await Promise.all([
    findPlanSwitch({ userId, subscriptionId }),
    getBalance(userId),
    findWaiting(request, userId),
  ]);
  if (!found) throw redirect(`/${locale}/account/billing`, 303);
  return {
    title: translatorFor(locale)("switched.title"),
    made: found.made,
    plan: showSubscription(found.subscription, new Date()),
    balance,
    action: draft ?? mainAction(),
    hasDraft: draft !== null,
    next: nextLook(request),
  };
}

export default function SwitchedPlan() {
  const t = useTranslations();
  const { locale } = useParams();
  const { made, plan, next } = useLoaderData<typeof loader>();
  const name = usePlanName()(plan.planKey);
  return (
    <main id="main">
      <div className="wrap page success">
        {made.status === "arrived" ? (
          <Arrived made={made} />
        ) : (
          <>
            <CheckoutWaiting
              isKnown
              next={next}
              title={t("switched.waiting", { plan: name })}
              lead={
                made.expected
                  ? t("switched.waitingCredits", { count: made.expected })
                  : t("switched.waitingPayment")
              }
            />
            <ReturnNote />
            <div className="row row-fill row-center">
              <ButtonLink href={`/${locale}/account/billing`}>{t("checkout.openPlan")}</ButtonLink>
            </div>
          </>
        )}
      </div>
    </main>
  );
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

function Arrived({
  made: { added, payment },
}: {
  made: Extract<Loaded["made"], { status: "arrived" }>;
}) {
  const t = useTranslations();
  const money = useMoney();
  const { locale } = useParams();
  const { plan, balance, action, hasDraft } = useLoaderData<typeof loader>();
  const name = usePlanName()(plan.planKey);
  const { total } = payment;
  const item = {
    name: t("billing.upgradeTo", { plan: name }),
    value: total ? money(total.amount, total.currency) : t("billing.amountUnknown"),
  };
  const facts = usePurchaseFacts()({
    item,
    provider: plan.provider,
    id: payment.id,
    at: added?.at ?? null,
  });
  return (
    <PurchaseArrived
      added={added}
      title={t("switched.done", { plan: name })}
      balance={balance}
      action={action}
      hasDraft={hasDraft}
      facts={facts}
      plan={usePlanSentence()(plan)}
      receipt={`/${locale}/account/payments/${payment.id}`}
      receiptTo={null}
    />
  );
}
