import { useFormatter, useTranslations } from "use-intl";
import { KeepPlan } from "~/components/billing/keep-plan";
import { providerName } from "~/components/billing/provider-name";
import { UndoPlannedChange } from "~/components/billing/undo-planned-change";
import { WriteToUs } from "~/components/support/write-to-us";
import { ButtonLink } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import type { ChangeLock } from "~/models/billing/changes/lock";
import type { OpenChange } from "~/services/payments/plan-changes";

interface ChangeLockedProps {
  lock: ChangeLock;
  change: {
    id: string;
    planKey: string;
    provider: string;
    open: OpenChange | null;
  };
}

/** Tells why the plan can't be changed now, and what to do first. */
export function ChangeLocked({ lock, change }: ChangeLockedProps) {
  const t = useTranslations();
  const { id, provider, open } = change;
  switch (lock) {
    case "scheduled":
      return (
        <section className="card stack">
          <h2 className="h-small">{t("changePlan.planned")}</h2>
          <UndoPlannedChange subscriptionId={id} />
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
      return <Notice tone="info">{t("changePlan.lockTrial")}</Notice>;
    case "ending":
      return (
        <section className="card stack">
          <p>{t("changePlan.lockEnding")}</p>
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
