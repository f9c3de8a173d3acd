import type { Disputed, Refunded } from "~/services/payments/billing-event";
import { formatAmount, toMinorUnits } from "~/utils/money";
import { type Comparison, isForeign, isWanted } from "./comparison";
import { type Difference, forOperator, repairable } from "./difference";

/** Compares the cumulative amounts of a refund or dispute with those on its order. */
export async function compareReversal(
  event: Refunded | Disputed,
  comparison: Comparison,
): Promise<Difference[]> {
  const { paymentId, metadata } = event;
  // A subscription's charge has neither our metadata nor an order: the operator must settle it.
  if (!paymentId) return [];
  const provider = comparison.records.name;
  const order = await comparison.db.order.findFirst({
    where: { provider, providerPaymentId: paymentId },
    select: { userId: true, status: true, amountRefunded: true, amountDisputed: true },
  });
  const userId = order?.userId ?? metadata?.userId ?? null;
  if (!isWanted(comparison, userId)) return [];
  const [there, here, verb] =
    event.kind === "refunded"
      ? [event.amountRefunded, order?.amountRefunded, "paid back"]
      : [event.amount, order?.amountDisputed, "disputed"];
  const { currency } = event;
  const amount = formatAmount({ amount: there, currency });
  const found = { provider, object: `payment ${paymentId}`, userId };
  if (!order) {
    if (!metadata?.skuKey || (await isForeign(comparison, metadata))) return [];
    const says = `${amount} ${verb} there, no order here`;
    return [
      forOperator(
        { ...found, says },
        "its order comes first: --apply, with a --since before it was paid",
      ),
    ];
  }
  if (here === undefined || there <= here) return [];
  const known = formatAmount({ amount: toMinorUnits(here), currency });
  const says = `${amount} ${verb} there, ${known} here`;
  return [
    repairable(
      { ...found, says },
      "take back that share of the order's credits, as far as it is unspent",
      [event],
    ),
  ];
}
