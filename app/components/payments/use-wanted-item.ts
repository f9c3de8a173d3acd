import { useTranslations } from "use-intl";
import { findPack, findPlan } from "~/catalog";
import { usePriceTag } from "~/components/use-money";
import { usePlanName } from "~/components/use-plan-name";
import type { WantedItem } from "~/services/payments/checkout-request";

/** Returns an item with its price, as it stands within a sentence; null for one that the catalog lacks. */
export function useWantedItem(item: WantedItem | null): string | null {
  const t = useTranslations();
  const priceTag = usePriceTag();
  const planName = usePlanName();
  if (item?.intent === "pack") {
    const pack = findPack(item.skuKey);
    return pack && t("wanted.pack", { credits: pack.credits, price: priceTag(pack.amount) });
  }
  const plan = item && findPlan(item.planKey);
  if (!item || !plan) return null;
  const words = { plan: planName(item.planKey), price: priceTag(plan.amounts[item.period]) };
  return item.period === "month" ? t("wanted.monthly", words) : t("wanted.yearly", words);
}
