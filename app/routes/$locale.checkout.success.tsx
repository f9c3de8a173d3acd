import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { CheckoutArrived } from "~/components/payments/checkout-arrived";
import { CheckoutWaiting } from "~/components/payments/checkout-waiting";
import { ReturnNote } from "~/components/payments/return-note";
import { ButtonLink } from "~/components/ui/button";
import { translatorFor } from "~/i18n/messages.server";
import { mainAction } from "~/models/actions/registry.server";
import { findReturnedCheckout } from "~/models/billing/checkouts/returned-checkouts.server";
import { findOwnSubscription } from "~/models/billing/subscriptions/management.server";
import { showSubscription } from "~/models/billing/subscriptions/shown-subscription";
import { getBalance } from "~/models/credits/balance.server";
import { getUser } from "~/server/accounts/session.server";
import { findWaiting } from "~/server/metering/draft.server";
import { nextLook } from "~/server/payments/waiting-page.server";
import { requireLocale } from "~/server/request/locale-param.server";

/**
 * The return page of a hosted checkout. It changes nothing: only webhooks add credits. It shows its
 * signed-in buyer the checkout started last, and refreshes itself until the webhook is in.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const t = translatorFor(locale);
  const user = await getUser(request);
  const [checkout, balance, draft] = user
    ? await Promise.all([
        findReturnedCheckout(user.id),
        getBalance(user.id),
        findWaiting(request, user.id),
      ])
    : [null, 0, null];
  const bought = checkout?.plan
    ? await findOwnSubscription(user?.id ?? "", undefined, checkout.plan.subscriptionId)
    : null;
  return {
    title: checkout?.added ? t("checkout.arrivedTitle") : t("checkout.successTitle"),
    locale,
    checkout,
    plan: bought && showSubscription(bought, new Date()),
    balance,
    action: draft ?? mainAction(),
    hasDraft: draft !== null,
    next: nextLook(request),
  };
}

export default function CheckoutSuccess() {
  const t = useTranslations();
  const { locale, checkout, plan, balance, action, hasDraft, next } =
    useLoaderData<typeof loader>();
  const { added } = checkout ?? {};
  const account = `/${locale}/account`;
  return (
    <main id="main">
      <div className="wrap page success">
        {checkout && added ? (
          <CheckoutArrived
            checkout={checkout}
            added={added}
            plan={plan}
            balance={balance}
            action={action}
            hasDraft={hasDraft}
          />
        ) : (
          <>
            <CheckoutWaiting
              isKnown={checkout !== null}
              next={next}
              title={t("checkout.successTitle")}
              lead={checkout ? t("checkout.waitingLead") : t("checkout.successLead")}
            />
            <ReturnNote />
            <div className="row row-fill row-center">
              <ButtonLink href={`${account}/credits`}>{t("checkout.openAccount")}</ButtonLink>
              <ButtonLink look="secondary" href={`${account}/billing`}>
                {t("checkout.openBilling")}
              </ButtonLink>
            </div>
          </>
        )}
      </div>
    </main>
  );
}
