import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { IconName } from "~/components/ui/icon";
import { useDay } from "~/components/use-day";
import { usePlanName } from "~/components/use-plan-name";
import type { Movement } from "~/models/accounts/movement";

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
  const imagePath = (id: string) => `/${locale}/demo/image-generator?generation=${id}`;
  const images = ({ generation, description }: Movement): MovementWords => {
    if (!generation)
      return { title: t("credits.deduction"), note: description, path: null, icon: "image" };
    const { id, prompt, images: count, status } = generation;
    const notes = {
      reserved: t("credits.imagesRunning", { count }),
      settled: t("credits.images", { count }),
      refunded: t("credits.imagesRefunded", { count }),
    };
    return { title: prompt, note: notes[status], path: imagePath(id), icon: "image" };
  };
  const refund = ({ generation, amount, description }: Movement): MovementWords => {
    if (!generation)
      return { title: t("credits.refund"), note: description, path: null, icon: "undo" };
    const { id, prompt, images: asked, cost } = generation;
    const count = Math.round((asked * amount) / cost);
    return {
      title: t("credits.refundOf", { prompt }),
      note: t("credits.imagesMissing", { count }),
      path: imagePath(id),
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
        return images(movement);
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
