import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ACTION_VIEWS } from "~/components/actions/action-views";
import type { IconName } from "~/components/ui/icon";
import { useDay } from "~/components/use-day";
import { usePlanName } from "~/components/use-plan-name";
import type { Movement, MovementRun } from "~/models/accounts/movement";
import { causeKindOf } from "~/models/credits/cause";

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
  /** A run: what came of it, and the key of a program that spent. */
  const runWords = (run: MovementRun, { parts, apiKeyName }: Movement): MovementWords => {
    const { id, action, status, subject, units, unused } = run;
    const { icon, pageOf, words } = ACTION_VIEWS[action];
    const amount = t(words.units, { count: units });
    const isPartlyBack = unused > 0 && parts.some(({ type }) => type === "refund");
    const notes = {
      reserved: t("credits.running", { units: amount }),
      settled: isPartlyBack
        ? t("credits.partly", { units: amount, unused: t(words.unused, { count: unused }) })
        : amount,
      refunded: t("credits.failed", { units: amount }),
    };
    const by = apiKeyName ? ` · ${t("usage.byKey", { name: apiKeyName })}` : "";
    return {
      title: subject || t(words.name),
      note: `${notes[status]}${by}`,
      path: `/${locale}${pageOf(id)}`,
      icon,
    };
  };
  /** The page of the order or the payment that credits came with. */
  const saleOf = ({ orderId, plan }: Sold): string | null => {
    if (orderId) return `/${locale}/account/orders/${orderId}`;
    return plan?.paymentId ? `/${locale}/account/payments/${plan.paymentId}` : null;
  };
  const grant = (movement: Movement): MovementWords => {
    const { amount, plan, expiresAt } = movement;
    const until = expiresAt
      ? t("credits.usableUntil", { date: day(expiresAt) })
      : t("credits.lasting");
    const path = saleOf(movement);
    const coin = { note: until, path, icon: "coin" } as const;
    const kind = causeKindOf(movement);
    if (kind === "order") return { title: t("credits.pack", { count: amount }), ...coin };
    if (kind === "welcome") return { title: t("credits.welcome"), ...coin };
    const month = { note: until, path, icon: "cal" } as const;
    if (!plan) return { title: t("credits.month"), ...month };
    const name = planName(plan.planKey);
    const title =
      kind === "upgrade"
        ? t("credits.upgradeOf", { plan: name })
        : t("credits.monthOf", { plan: name });
    return { title, ...month };
  };
  /** The credits that were lost, by where they came from. */
  const fromOf = (movement: Movement): string | null => {
    if (movement.orderId) return t("credits.fromPack");
    const { plan } = movement;
    return plan ? t("credits.fromPlan", { plan: planName(plan.planKey) }) : null;
  };
  const sentences = (...parts: (string | null)[]) => parts.filter(Boolean).join(" · ");
  return (movement) => {
    const { type, description, run } = movement;
    if (run) return runWords(run, movement);
    const path = saleOf(movement);
    switch (type) {
      case "deduction":
        return { title: t("credits.deduction"), note: description, path: null, icon: "spark" };
      case "refund":
        return { title: t("credits.refund"), note: description, path: null, icon: "undo" };
      case "grant":
        return grant(movement);
      case "expiry":
        return {
          title: t("credits.expiry"),
          note: sentences(t("credits.expiryNote"), fromOf(movement)),
          path,
          icon: "clock",
        };
      case "reversal": {
        const kind = causeKindOf(movement);
        const why = {
          smaller_plan: t("credits.smallerPlanNote"),
          plan_ended: t("credits.planEndedNote"),
          other: t("credits.reversalNote"),
        };
        const known = kind === "smaller_plan" || kind === "plan_ended" ? kind : "other";
        return {
          title: t("credits.reversal"),
          note: sentences(why[known], fromOf(movement)),
          path,
          icon: "receipt",
        };
      }
      case "adjustment":
        return causeKindOf(movement) === "return_undone"
          ? {
              title: t("credits.returnUndone"),
              note: sentences(t("credits.returnUndoneNote"), fromOf(movement)),
              path,
              icon: "receipt",
            }
          : { title: t("credits.adjustment"), note: description, path: null, icon: "wrench" };
    }
  };
}

type Sold = Pick<Movement, "orderId" | "plan">;
