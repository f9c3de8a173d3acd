import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { FreeCredits } from "~/components/free-credits";
import type { PageHandle } from "~/components/page-handle";
import { PaymentRefusal } from "~/components/payments/payment-refusal";
import { PackOffers } from "~/components/pricing/pack-offers";
import { hasPeriodChoice, PeriodSwitch } from "~/components/pricing/period-switch";
import { PlanOffers } from "~/components/pricing/plan-offers";
import { PriceTerms } from "~/components/pricing/price-terms";
import { ProductQuestions } from "~/components/product-questions";
import { StatePage } from "~/components/state-page";
import { useCreditWords } from "~/components/use-credit-words";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { getUser } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { getProductFacts } from "~/server/site/product-facts.server";
import { structuredOffers } from "~/server/site/structured-offers.server";
import { pageHeaders } from "~/utils/page-headers";
import { checkoutFromForm, findMemberPlan } from "./$locale.pricing.server";

export const headers = pageHeaders;
export const handle: PageHandle = { sameForAll: true };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await getUser(request);
  const facts = getProductFacts();
  return {
    title: translatorFor(locale)("pricing.title"),
    structuredData: structuredOffers(facts.offers, {
      locale,
      siteOrigin: getEnv().siteUrl.origin,
    }),
    facts,
    isSignedIn: user !== null,
    member: user ? await findMemberPlan(user.id) : null,
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  return checkoutFromForm(request, { user: await getUser(request), locale });
}

export default function Pricing() {
  const t = useTranslations();
  const { facts, isSignedIn, member } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>()?.refusal;
  const { offers, paymentProvider: provider, imageCost } = facts;
  const { rate } = useCreditWords();
  const other = imageCost === null ? (facts.actions[0] ?? null) : null;
  if (!offers || !provider)
    return <StatePage art="payments" title={t("pricing.title")} lead={t("pricing.off")} />;
  const { plans, packs } = offers;
  if (plans.length + packs.length === 0)
    return <StatePage art="payments" title={t("pricing.title")} lead={t("pricing.nothing")} />;
  return (
    <main id="main">
      <div className="wrap page pricing">
        <div className="pricing-head">
          <h1>
            {imageCost === null
              ? other
                ? rate(other)
                : t("pricing.headingPlain")
              : t("pricing.heading", { cost: imageCost })}
          </h1>
          <p className="lead">
            {plans.length > 0 && packs.length > 0 ? t("pricing.lead") : t("pricing.leadShort")}
          </p>
          {facts.freeCredits > 0 && !isSignedIn ? (
            <p className="small">
              <FreeCredits credits={facts.freeCredits} hasImages={imageCost !== null} />
            </p>
          ) : null}
          <PaymentRefusal refusal={refusal} />
          {hasPeriodChoice(plans) ? (
            <PeriodSwitch plans={plans} period={member?.period ?? "month"} />
          ) : null}
        </div>
        <PlanOffers
          plans={plans}
          member={member}
          imageCost={imageCost}
          other={other}
          provider={provider}
          packs={packs}
        />
        <PriceTerms addsTax={facts.addsTax} />
        <PackOffers
          packs={packs}
          hasPlans={plans.length > 0}
          imageCost={imageCost}
          other={other}
          provider={provider}
          isSignedIn={isSignedIn}
        />
        <section className="section pricing-packs" aria-labelledby="questions">
          <h2 id="questions">{t("questions.title")}</h2>
          <ProductQuestions facts={facts} />
        </section>
      </div>
    </main>
  );
}
