import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { providerName } from "~/components/billing/provider-name";
import { Time } from "~/components/time";
import { orderNumber } from "~/utils/order-number";

interface Bought {
  item: { name: string; value: string };
  provider: string;
  /** Of the order or the payment; null while it isn't told. */
  id: string | null;
  /** When it came in. */
  at: Date | null;
}

/** Returns the lines that say what was bought, where, and when. */
export function usePurchaseFacts(): (bought: Bought) => { name: string; value: ReactNode }[] {
  const t = useTranslations();
  return ({ item, provider, id, at }) => [
    item,
    { name: t("checkout.paidAt"), value: providerName(provider) },
    ...(id ? [{ name: t("receipt.number"), value: orderNumber(id) }] : []),
    ...(at ? [{ name: t("checkout.when"), value: <Time at={at} /> }] : []),
  ];
}
