import { useTranslations } from "use-intl";
import { findPlan } from "~/catalog";
import { useNextCreditsWords } from "~/components/billing/use-next-credits-words";
import { usePlanPrice } from "~/components/billing/use-plan-price";
import { usePlanSentence } from "~/components/billing/use-plan-sentence";
import { NextDates } from "~/components/ui/next-dates";
import { useDay } from "~/components/use-day";
import { usePlanName } from "~/components/use-plan-name";
import type { ShownSubscription } from "~/models/billing/subscriptions/shown-subscription";
import type { Holdings } from "~/models/credits/holdings";

interface WhatHappensNextProps {
  subscription: ShownSubscription;
  holdings: Holdings;
}

/** Shows what a plan charges and brings, and when. */
export function WhatHappensNext({ subscription, holdings }: WhatHappensNextProps) {
  const t = useTranslations();
  const headingId = `next-${subscription.id}`;
  return (
    <section className="card stack" aria-labelledby={headingId}>
      <h2 id={headingId} className="h-small">
        {t("billing.next")}
      </h2>
      <NextDates dates={useDates({ subscription, holdings })} />
    </section>
  );
}

function useDates({ subscription, holdings }: WhatHappensNextProps) {
  const t = useTranslations();
  const day = useDay();
  const planName = usePlanName();
  const planPrice = usePlanPrice();
  const meaning = usePlanSentence()(subscription);
  const waitsFor = useNextCreditsWords(subscription.nextCredits);
  const { status, periodEnd, cancelAtPeriodEnd, nextCredits } = subscription;
  const { balance, lasting } = holdings;
  const dates = [
    {
      key: "today",
      when: t("billing.today"),
      what: t("billing.nextToday", { balance, lasting }),
      isNow: true,
    },
  ];
  const goesOn = status === "active" || status === "trialing";
  if (!goesOn) {
    dates[0] = { key: "today", when: t("billing.today"), what: meaning, isNow: true };
    if (status !== "canceled")
      dates.push({ key: "credits", when: t("billing.nextCredits"), what: waitsFor, isNow: false });
    return dates;
  }
  if (nextCredits.status === "scheduled" || nextCredits.status === "due") {
    dates.push({
      key: "credits",
      when: day(nextCredits.at),
      what: t("billing.nextGrant", { amount: nextCredits.amount }),
      isNow: false,
    });
  }
  if (!periodEnd) {
    dates.push({ key: "later", when: t("billing.nextLater"), what: meaning, isNow: false });
    return dates;
  }
  if (cancelAtPeriodEnd) {
    dates.push({
      key: "end",
      when: day(periodEnd),
      what: t("billing.nextEnd", { lasting }),
      isNow: false,
    });
    return dates;
  }
  const after = subscription.planned ?? subscription;
  const plan = findPlan(after.planKey);
  const amount = plan?.amounts[after.period];
  const figures = {
    plan: planName(after.planKey),
    price: amount === undefined ? "" : planPrice({ period: after.period, amount }),
    credits: plan?.creditsPerMonth ?? 0,
  };
  const texts = {
    trial: t("billing.nextTrial", figures),
    planned: t("billing.nextPlanned", figures),
    renewal: t("billing.nextRenews", figures),
  };
  const renewal = subscription.planned ? texts.planned : texts.renewal;
  const coming = status === "trialing" ? texts.trial : renewal;
  dates.push({
    key: "renewal",
    when: day(periodEnd),
    what: plan ? coming : meaning,
    isNow: false,
  });
  dates.push({
    key: "again",
    when: t("billing.nextAfter"),
    what: t("billing.nextAgain"),
    isNow: false,
  });
  return dates;
}
