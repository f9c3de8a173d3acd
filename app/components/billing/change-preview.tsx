import { useParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { CURRENCY } from "~/catalog";
import { DueToday } from "~/components/billing/due-today";
import { providerName } from "~/components/billing/provider-name";
import { usePlanPrice } from "~/components/billing/use-plan-price";
import { Button } from "~/components/ui/button";
import { NextDates } from "~/components/ui/next-dates";
import { useDay } from "~/components/use-day";
import { useMoney } from "~/components/use-money";
import { usePlanName } from "~/components/use-plan-name";
import type { ChangePreview as Previewed } from "~/models/billing/changes/preview";

type Timed<Timing> = Extract<Previewed, { timing: Timing }>;

interface ChangePreviewProps {
  preview: Previewed;
  change: { id: string; provider: string; planKey: string };
}

/** Shows the cost and the credits of a change, and the button that makes it. */
export function ChangePreview({ preview, change }: ChangePreviewProps) {
  const provider = providerName(change.provider);
  switch (preview.timing) {
    case "now":
      return <NowPreview preview={preview} provider={provider} from={change.planKey} />;
    case "period_end":
      return <LaterPreview preview={preview} from={change.planKey} />;
    case "resubscribe":
      return <NoPreview preview={preview} provider={provider} subscriptionId={change.id} />;
  }
}

function NowPreview({
  preview,
  provider,
  from,
}: {
  preview: Timed<"now">;
  provider: string;
  from: string;
}) {
  const t = useTranslations();
  const day = useDay();
  const money = useMoney();
  const planPrice = usePlanPrice();
  const { price, credits, at } = preview;
  const creditsToday = useCreditsToday(credits.difference);
  const renewal = planPrice(preview);
  const isRenewalNext = credits.nextAt?.getTime() === price.endsAt.getTime();
  const pay = price.isExact
    ? t("changePlan.pay", { amount: money(price.amountDue, price.currency) })
    : t("changePlan.payAbout");
  return (
    <Section title={t("changePlan.dueToday")}>
      <DueToday price={price} provider={provider} plans={{ from, to: preview.planKey }} />
      <NextDates
        dates={[
          { key: "today", when: t("changePlan.today"), what: creditsToday, isNow: true },
          ...(credits.nextAt && !isRenewalNext
            ? [
                {
                  key: "credits",
                  when: day(credits.nextAt),
                  what: t("changePlan.monthly", { count: credits.monthly }),
                },
              ]
            : []),
          {
            key: "renewal",
            when: day(price.endsAt),
            what: isRenewalNext
              ? t("changePlan.renewal", { price: renewal, count: credits.monthly })
              : t("changePlan.renews", { price: renewal }),
          },
        ]}
      />
      <ChangeForm preview={preview} label={price.amountDue === 0 ? t("changePlan.free") : pay}>
        <input type="hidden" name="at" value={at.getTime() / 1000} />
        <input type="hidden" name="amountDue" value={price.amountDue} />
      </ChangeForm>
      <p className="small quiet">{t("changePlan.card", { provider })}</p>
    </Section>
  );
}

function useCreditsToday(difference: number | null): string {
  const t = useTranslations();
  if (difference === null) return t("changePlan.moreLater");
  return difference === 0 ? t("changePlan.asBefore") : t("changePlan.more", { count: difference });
}

function LaterPreview({ preview, from }: { preview: Timed<"period_end">; from: string }) {
  const t = useTranslations();
  const day = useDay();
  const planName = usePlanName();
  const price = usePlanPrice()(preview);
  const money = useMoney();
  const date = day(preview.at);
  return (
    <Section title={t("changePlan.dueToday")}>
      <p className="big">{money(0, CURRENCY)}</p>
      <NextDates
        dates={[
          {
            key: "today",
            when: t("changePlan.today"),
            what: t("changePlan.keeps", { plan: planName(from) }),
            isNow: true,
          },
          {
            key: "change",
            when: date,
            what: t("changePlan.begins", {
              plan: planName(preview.planKey),
              price,
              count: preview.monthly,
            }),
          },
        ]}
      />
      <ChangeForm preview={preview} label={t("changePlan.schedule", { date })} />
      <p className="small quiet">{t("changePlan.nothing")}</p>
    </Section>
  );
}

function NoPreview({
  preview,
  provider,
  subscriptionId,
}: {
  preview: Timed<"resubscribe">;
  provider: string;
  subscriptionId: string;
}) {
  const t = useTranslations();
  const day = useDay();
  const { locale } = useParams();
  const plan = usePlanName()(preview.planKey);
  const date = day(preview.at);
  const cancel = `/${locale}/account/billing/cancel?subscription=${subscriptionId}`;
  return (
    <Section title={plan}>
      <p>{t("changePlan.resubscribe", { provider, date, plan })}</p>
      <p>
        <a href={cancel} className="link-24">
          {t("changePlan.cancelFirst")}
        </a>
      </p>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card due" aria-labelledby="due">
      <h2 id="due" className="h-small">
        {title}
      </h2>
      {children}
    </section>
  );
}

function ChangeForm({
  preview: { planKey, period },
  label,
  children,
}: {
  preview: Previewed;
  label: string;
  children?: ReactNode;
}) {
  return (
    <form method="post">
      <input type="hidden" name="plan" value={planKey} />
      <input type="hidden" name="period" value={period} />
      {children}
      <Button name="intent" value="change" size="large" wide>
        {label}
      </Button>
    </form>
  );
}
