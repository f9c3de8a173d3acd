import { useFormatter, useTranslations } from "use-intl";
import { PlannedChange } from "~/components/billing/planned-change";
import { providerName } from "~/components/billing/provider-name";
import { Notice } from "~/components/ui/notice";
import type { ChangeLock } from "~/models/billing/changes/lock";
import type { OpenChange, PlannedChange as Planned } from "~/services/payments/plan-changes";

interface ChangeLockedProps {
  lock: ChangeLock;
  change: {
    id: string;
    provider: string;
    periodEnd: Date | null;
    scheduled: Planned | null;
    open: OpenChange | null;
  };
}

/** Tells why the plan can't be changed now, and what to do first. */
export function ChangeLocked({ lock, change }: ChangeLockedProps) {
  const t = useTranslations();
  const format = useFormatter();
  const { id, provider, periodEnd, scheduled, open } = change;
  const date = periodEnd ? format.dateTime(periodEnd, { dateStyle: "long" }) : "";
  switch (lock) {
    case "scheduled":
      return (
        <section className="grid gap-4 rounded-md border border-line p-4">
          <h2 className="text-18 font-semibold">{t("changePlan.planned")}</h2>
          {scheduled ? <PlannedChange subscriptionId={id} planned={scheduled} /> : null}
          <p className="text-ink-2">{t("changePlan.plannedHint")}</p>
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
      return <Notice tone="info">{t("changePlan.lockEnding", { date })}</Notice>;
    case "unconfirmed":
      return <Notice tone="warn">{t("changePlan.lockUnconfirmed")}</Notice>;
  }
}

function OpenPayment({ open, provider }: { open: OpenChange | null; provider: string }) {
  const t = useTranslations();
  const format = useFormatter();
  const lapses = open?.lapsesAt;
  return (
    <section className="grid max-w-text gap-4 rounded-md border border-warn-ink p-4">
      <h2 className="text-18 font-semibold">{t("changePlan.openTitle")}</h2>
      <p>{t("changePlan.open")}</p>
      {open?.payUrl ? (
        <p>
          <a href={open.payUrl} className="text-accent-ink underline">
            {t("changePlan.openPay", { provider })}
          </a>
        </p>
      ) : null}
      {lapses ? (
        <p className="text-ink-2">
          {t("changePlan.openUntil", {
            at: format.dateTime(lapses, { dateStyle: "long", timeStyle: "short" }),
          })}
        </p>
      ) : null}
    </section>
  );
}
