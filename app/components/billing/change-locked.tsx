import { useFormatter, useTranslations } from "use-intl";
import { KeepPlan } from "~/components/billing/keep-plan";
import { PlannedChange } from "~/components/billing/planned-change";
import { providerName } from "~/components/billing/provider-name";
import { WriteToUs } from "~/components/support/write-to-us";
import { ButtonLink } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { useDay } from "~/components/use-day";
import type { ChangeLock } from "~/models/billing/changes/lock";
import type { OpenChange, PlannedChange as Planned } from "~/services/payments/plan-changes";

interface ChangeLockedProps {
  lock: ChangeLock;
  change: {
    id: string;
    planKey: string;
    provider: string;
    periodEnd: Date | null;
    scheduled: Planned | null;
    open: OpenChange | null;
  };
}

/** Tells why the plan can't be changed now, and what to do first. */
export function ChangeLocked({ lock, change }: ChangeLockedProps) {
  const t = useTranslations();
  const day = useDay();
  const { id, provider, periodEnd, scheduled, open } = change;
  const date = periodEnd ? day(periodEnd) : "";
  switch (lock) {
    case "scheduled":
      return (
        <section className="card stack">
          <h2 className="h-small">{t("changePlan.planned")}</h2>
          {scheduled ? <PlannedChange subscriptionId={id} planned={scheduled} /> : null}
          <p className="small muted">{t("changePlan.plannedHint")}</p>
        </section>
      );
    case "open":
      return <OpenPayment open={open} provider={providerName(provider)} />;
    case "payment":
      return <Notice tone="warn">{t("changePlan.lockPayment")}</Notice>;
    case "paused":
      return <Notice tone="warn">{t("changePlan.lockPaused")}</Notice>;
    case "trial":
      return <Notice tone="info">{t("changePlan.lockTrial", { date })}</Notice>;
    case "ending":
      return (
        <section className="card stack">
          <p>{t("changePlan.lockEnding", { date })}</p>
          <KeepPlan plan={change} />
        </section>
      );
    case "returned":
      return (
        <Notice tone="warn">
          {t("changePlan.lockReturned")} <WriteToUs />
        </Notice>
      );
    case "unconfirmed":
      return <Notice tone="warn">{t("changePlan.lockUnconfirmed")}</Notice>;
  }
}

function OpenPayment({ open, provider }: { open: OpenChange | null; provider: string }) {
  const t = useTranslations();
  const format = useFormatter();
  const lapses = open?.lapsesAt;
  return (
    <section className="card stack" aria-labelledby="open-payment">
      <Notice tone="warn">
        <h2 id="open-payment" className="h-small">
          {t("changePlan.openTitle")}
        </h2>
        {t("changePlan.open")}
      </Notice>
      {open?.payUrl ? (
        <p>
          <ButtonLink href={open.payUrl}>{t("changePlan.openPay", { provider })}</ButtonLink>
        </p>
      ) : null}
      {lapses ? (
        <p className="muted">
          {t("changePlan.openUntil", {
            at: format.dateTime(lapses, { dateStyle: "long", timeStyle: "short" }),
          })}
        </p>
      ) : null}
    </section>
  );
}
