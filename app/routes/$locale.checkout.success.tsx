import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { CheckoutArrived } from "~/components/payments/checkout-arrived";
import { CheckoutWaiting } from "~/components/payments/checkout-waiting";
import { ReturnNote } from "~/components/payments/return-note";
import { ButtonLink } from "~/components/ui/button";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { findReturnedCheckout } from "~/models/billing/checkouts/returned-checkouts.server";
import { getBalance } from "~/models/credits/balance.server";
import { getUser } from "~/server/accounts/session.server";
import { findDraft } from "~/server/images/draft.server";
import { requireLocale } from "~/server/request/locale-param.server";

/** How often the page looks for the credits without JavaScript, three seconds apart. */
const LOOKS = 20;

/**
 * The return page of a hosted checkout. It changes nothing: only webhooks add credits. It shows its
 * signed-in buyer the checkout started last, and refreshes itself until the webhook is in.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const t = translatorFor(locale);
  const user = await getUser(request);
  const url = new URL(request.url);
  const look = Number(url.searchParams.get("look")) || 0;
  url.searchParams.set("look", String(look + 1));
  const [checkout, balance, draft] = user
    ? await Promise.all([
        findReturnedCheckout(user.id),
        getBalance(user.id),
        findDraft(request, user.id),
      ])
    : [null, 0, null];
  return {
    title: checkout?.added ? t("checkout.arrivedTitle") : t("checkout.successTitle"),
    locale,
    checkout,
    balance,
    images: getEnv().images.enabled,
    hasDraft: draft !== null,
    next: look < LOOKS ? url.search : null,
  };
}

export default function CheckoutSuccess() {
  const t = useTranslations();
  const { locale, checkout, balance, images, hasDraft, next } = useLoaderData<typeof loader>();
  const { added } = checkout ?? {};
  return (
    <main id="main">
      <div className="wrap page success">
        {checkout && added ? (
          <CheckoutArrived
            checkout={checkout}
            added={added}
            balance={balance}
            images={images}
            hasDraft={hasDraft}
          />
        ) : (
          <>
            <CheckoutWaiting isKnown={checkout !== null} next={next} />
            <ReturnNote />
            <div className="row row-fill row-center">
              <ButtonLink href={`/${locale}/account`}>{t("checkout.openAccount")}</ButtonLink>
              <ButtonLink look="secondary" href={`/${locale}/account/billing`}>
                {t("checkout.openBilling")}
              </ButtonLink>
            </div>
          </>
        )}
      </div>
    </main>
  );
}
