import type { LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { Page } from "~/components/page";
import { PaymentRefusal } from "~/components/payments/payment-refusal";
import { PackOffers } from "~/components/pricing/pack-offers";
import { PlanOffers } from "~/components/pricing/plan-offers";
import { Notice } from "~/components/ui/notice";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { getRunningSubscription } from "~/models/billing/subscriptions/management.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { getUser, requirePageUser } from "~/server/session.server";
import { structuredOffers } from "~/server/structured-offers.server";
import { pageHeaders } from "~/utils/page-headers";
import { checkoutFromForm, currentOffers } from "./$locale.pricing.server";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await getUser(request);
  const running = user ? await getRunningSubscription(user.id) : null;
  const offers = currentOffers();
  return {
    title: translatorFor(locale)("pricing.title"),
    structuredData: structuredOffers(offers, { locale, siteOrigin: getEnv().siteUrl.origin }),
    offers,
    signedIn: user !== null,
    currentPlan: running?.planKey ?? null,
    /** Credits per image; null while image generation is off. */
    imageCost: getEnv().images.enabled ? CREDITS_PER_IMAGE : null,
  };
}

export const action = pageAction(async ({ request, params }) => {
  const locale = requireLocale(params);
  const { id: userId, email, emailVerified } = await requirePageUser(request, locale);
  return checkoutFromForm(request, { userId, email, emailVerified, locale });
});

export default function Pricing() {
  const t = useTranslations();
  const { offers, signedIn, currentPlan, imageCost } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>()?.refusal;
  const isEmpty = offers !== null && offers.packs.length + offers.plans.length === 0;
  return (
    <Page title={t("pricing.title")} lead={t("pricing.lead")}>
      <PaymentRefusal refusal={refusal} />
      {offers === null ? <Notice tone="info">{t("pricing.off")}</Notice> : null}
      {isEmpty ? <Notice tone="info">{t("pricing.nothing")}</Notice> : null}
      {offers === null || isEmpty ? null : (
        <>
          <div className="grid max-w-text gap-1">
            {imageCost === null ? null : <p>{t("pricing.imageCost", { cost: imageCost })}</p>}
            <p>{t("pricing.how")}</p>
            {signedIn ? null : <p>{t("pricing.signInFirst")}</p>}
          </div>
          <PlanOffers plans={offers.plans} currentPlan={currentPlan} imageCost={imageCost} />
          <PackOffers packs={offers.packs} imageCost={imageCost} />
        </>
      )}
    </Page>
  );
}
