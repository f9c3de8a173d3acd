import { findPeriodOfPayment } from "~/models/billing/returns/period-payments.server";
import type { Disputed, Refunded } from "~/services/payments/billing-event";
import { formatAmount, toMinorUnits } from "~/utils/money";
import { type Comparison, isForeign, isWanted } from "./comparison";
import { type Difference, forOperator, repairable } from "./difference";

/** Compares the cumulative amounts of a refund or dispute with those on its order or paid period. */
export async function compareReversal(
  event: Refunded | Disputed,
  comparison: Comparison,
): Promise<Difference[]> {
  const { paymentId, metadata } = event;
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
    const ofPeriod = await comparePeriod(event, paymentId, comparison);
    if (ofPeriod) return ofPeriod;
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

/** The same for a subscription's payment; null if no paid period and no customer of ours has it. */
async function comparePeriod(
  event: Refunded | Disputed,
  paymentId: string,
  comparison: Comparison,
): Promise<Difference[] | null> {
  const { db, records } = comparison;
  const provider = records.name;
  const paid = await findPeriodOfPayment({ provider, event }, db);
  if (!paid) return compareUnknown(event, paymentId, comparison);
  if (!isWanted(comparison, paid.userId)) return [];
  const period = await db.subscriptionPeriod.findUniqueOrThrow({ where: { id: paid.periodId } });
  const [there, here, verb] =
    event.kind === "refunded"
      ? [event.amountRefunded, toMinorUnits(period.amountRefunded), "paid back"]
      : [event.amount, toMinorUnits(period.amountDisputed), "disputed"];
  if (there <= here) return [];
  const { currency } = event;
  const amounts = [there, here].map((amount) => formatAmount({ amount, currency }));
  return [
    repairable(
      {
        provider,
        object: `payment ${paymentId}`,
        userId: paid.userId,
        says: `${amounts[0]} ${verb} there, ${amounts[1]} here`,
      },
      "take back that share of the paid period's credits, and of its months to come",
      [event],
    ),
  ];
}

/** A return of a customer of ours that no payment here belongs to. */
async function compareUnknown(
  event: Refunded | Disputed,
  paymentId: string,
  { db, records, userId }: Comparison,
): Promise<Difference[] | null> {
  const provider = records.name;
  const kept = await db.paymentReturn.count({
    where: { provider, providerPaymentId: paymentId, kind: event.kind },
  });
  if (kept > 0) return [];
  const { providerSubscriptionId = null, customerId } = event;
  const owner = await db.subscription.findFirst({
    where: {
      provider,
      ...(userId ? { userId } : {}),
      OR: [
        ...(providerSubscriptionId ? [{ providerSubscriptionId }] : []),
        ...(customerId ? [{ providerCustomerId: customerId }] : []),
      ],
    },
    select: { userId: true },
  });
  if (!owner) return null;
  return [
    repairable(
      {
        provider,
        object: `payment ${paymentId}`,
        userId: owner.userId,
        says: `${event.kind} there, no payment here`,
      },
      "keep it until its payment comes",
      [event],
    ),
  ];
}

/** Returns that are kept because their payment is unknown here. */
export async function listKeptReturns({ db, records }: Comparison): Promise<Difference[]> {
  const kept = await db.paymentReturn.findMany({
    where: { provider: records.name },
    orderBy: { createdAt: "asc" },
  });
  return kept.map(({ kind, amount, currency, providerPaymentId }) =>
    forOperator(
      {
        provider: records.name,
        object: `payment ${providerPaymentId}`,
        userId: null,
        says: `${formatAmount({ amount: toMinorUnits(amount), currency })} ${kind}, its payment is unknown here`,
      },
      "look it up there; it is applied once its payment comes, or after --apply with an earlier --since",
    ),
  );
}
