import { useTranslations } from "use-intl";
import { findPlan } from "~/catalog";
import { useNextCreditsWords } from "~/components/billing/use-next-credits-words";
import { usePlanSentence } from "~/components/billing/use-plan-sentence";
import { NextDates } from "~/components/ui/next-dates";
import { useDay } from "~/components/use-day";
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
    const what = `${meaning} ${t("billing.nextCreditsEnd", { lasting })}`;
    dates.push({ key: "end", when: day(periodEnd), what, isNow: false });
    return dates;
  }
  const credits = findPlan((subscription.planned ?? subscription).planKey)?.creditsPerMonth;
  const paid = credits === undefined ? "" : ` ${t("billing.nextCreditsPaid", { credits })}`;
  dates.push({ key: "renewal", when: day(periodEnd), what: meaning + paid, isNow: false });
  dates.push({
    key: "again",
    when: t("billing.nextAfter"),
    what: t("billing.nextAgain"),
    isNow: false,
  });
  return dates;
}
