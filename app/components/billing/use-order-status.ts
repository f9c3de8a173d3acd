import { useTranslations } from "use-intl";
import type { OrderStatus } from "~/generated/prisma/enums";

/** Returns an order's status in the page's language. */
export function useOrderStatus(): (status: OrderStatus) => string {
  const t = useTranslations();
  const names: Record<OrderStatus, string> = {
    pending: t("billing.orderPending"),
    paid: t("billing.orderPaid"),
    partially_refunded: t("billing.orderPartlyRefunded"),
    refunded: t("billing.orderRefunded"),
    disputed: t("billing.orderDisputed"),
  };
  return (status) => names[status];
}
