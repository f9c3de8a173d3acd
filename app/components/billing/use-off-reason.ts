import { useTranslations } from "use-intl";
import type { ShownTopUp } from "~/components/billing/shown-top-up";

/** Why nothing is bought; null while it is on. */
export function useOffReason({
  off,
  isOn,
  isPriceRight,
}: Pick<ShownTopUp, "off" | "isOn" | "isPriceRight">): string | null {
  const t = useTranslations();
  const reasons = {
    owner: t("topUp.offOwner"),
    declined: t("topUp.offDeclined"),
    price: t("topUp.offPrice"),
    not_sold: t("topUp.offNotSold"),
    dispute: t("topUp.offDispute"),
    disabled: t("topUp.offDisabled"),
    card_removed: t("topUp.offCardRemoved"),
  };
  if (off) return reasons[off.reason];
  return isOn && !isPriceRight ? reasons.price : null;
}
