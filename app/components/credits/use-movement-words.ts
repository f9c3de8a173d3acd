import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ACTION_VIEWS } from "~/components/actions/action-views";
import type { IconName } from "~/components/ui/icon";
import { useDay } from "~/components/use-day";
import { usePlanName } from "~/components/use-plan-name";
import type { Movement, MovementRun } from "~/models/accounts/movement";

/** A movement as people read it. */
export interface MovementWords {
  title: string;
  note: string | null;
  /** The page of what it was for. */
  path: string | null;
  /** `coin` is a pack or a gift. */
  icon: IconName | "coin";
}

/** Returns the words for a movement of credits, and the page of what it was for. */
export function useMovementWords(): (movement: Movement) => MovementWords {
  const t = useTranslations();
  const { locale } = useParams();
  const day = useDay();
  const planName = usePlanName();
  const runWords = ({ id, action, status, subject, units }: MovementRun): MovementWords => {
    const { icon, pageOf, words } = ACTION_VIEWS[action];
    const amount = t(words.units, { count: units });
    const notes = {
      reserved: t("credits.running", { units: amount }),
      settled: amount,
      refunded: t("credits.failed", { units: amount }),
    };
    return {
      title: subject || t(words.name),
      note: notes[status],
      path: `/${locale}${pageOf(id)}`,
      icon,
    };
  };
  const spent = ({ run, description }: Movement): MovementWords =>
    run
      ? runWords(run)
      : { title: t("credits.deduction"), note: description, path: null, icon: "spark" };
  const refund = ({ run, amount, description }: Movement): MovementWords => {
    if (!run) return { title: t("credits.refund"), note: description, path: null, icon: "undo" };
    const { title, path } = runWords(run);
    const count = Math.round((run.units * amount) / run.credits);
    return {
      title: t("credits.refundOf", { subject: title }),
      note: t(ACTION_VIEWS[run.action].words.unused, { count }),
      path,
      icon: "undo",
    };
  };
  const grant = (movement: Movement): MovementWords => {
    const { source, amount, plan, orderId, expiresAt } = movement;
    const until = expiresAt
      ? t("credits.usableUntil", { date: day(expiresAt) })
      : t("credits.lasting");
    const order = orderId ? `/${locale}/account/orders/${orderId}` : null;
    if (source.startsWith("order:"))
      return {
        title: t("credits.pack", { count: amount }),
        note: until,
        path: order,
        icon: "coin",
      };
    if (source.startsWith("signup:"))
      return { title: t("credits.welcome"), note: until, path: null, icon: "coin" };
    if (!plan) return { title: t("credits.month"), note: until, path: null, icon: "cal" };
    const name = planName(plan.planKey);
    const title = source.startsWith("upgrade:")
      ? t("credits.upgradeOf", { plan: name })
      : t("credits.monthOf", { plan: name });
    const path = plan.paymentId && `/${locale}/account/payments/${plan.paymentId}`;
    return { title, note: until, path, icon: "cal" };
  };
  return (movement) => {
    const { type, description, orderId } = movement;
    switch (type) {
      case "deduction":
        return spent(movement);
      case "refund":
        return refund(movement);
      case "grant":
        return grant(movement);
      case "expiry":
        return {
          title: t("credits.expiry"),
          note: t("credits.expiryNote"),
          path: null,
          icon: "clock",
        };
      case "reversal":
        return {
          title: t("credits.reversal"),
          note: t("credits.reversalNote"),
          path: orderId ? `/${locale}/account/orders/${orderId}` : null,
          icon: "receipt",
        };
      case "adjustment":
        return { title: t("credits.adjustment"), note: description, path: null, icon: "wrench" };
    }
  };
}
