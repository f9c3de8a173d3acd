import type { SubscriptionStatus } from "~/generated/prisma/enums";
import type { Comparison } from "./comparison";
import { type Difference, forOperator } from "./difference";

const RUNNING: SubscriptionStatus[] = ["trialing", "active", "past_due", "unpaid", "paused"];
const PAGE = 500;

/** Objects that the provider listed, by the id in our rows. */
export interface Seen {
  /** Ids of orders' payments. */
  payments: Set<string>;
  subscriptions: Set<string>;
}

/**
 * Returns our rows that the provider doesn't know: orders in the compared period and active
 * subscriptions, read page by page. The app never makes such a row, so this repairs nothing.
 */
export async function* listAbsent(comparison: Comparison, seen: Seen): AsyncGenerator<Difference> {
  const { db, records, userId, since, startedAt } = comparison;
  const provider = records.name;
  const advice = "look it up there: rows come only from signed webhooks";
  const whose = { provider, ...(userId ? { userId } : {}) };
  const order = { orderBy: { id: "asc" }, take: PAGE } as const;

  let last: string | undefined;
  do {
    const rows = await db.subscription.findMany({
      where: { ...whose, status: { in: RUNNING }, createdAt: { lt: startedAt } },
      ...order,
      ...(last ? { cursor: { id: last }, skip: 1 } : {}),
      select: { id: true, userId: true, status: true, providerSubscriptionId: true },
    });
    for (const { userId: owner, status, providerSubscriptionId: id } of rows)
      if (!seen.subscriptions.has(id))
        yield forOperator(
          {
            provider,
            object: `subscription ${id}`,
            userId: owner,
            says: `${status} here, not there`,
          },
          advice,
        );
    last = rows.length === PAGE ? rows.at(-1)?.id : undefined;
  } while (last);

  do {
    const rows = await db.order.findMany({
      where: {
        ...whose,
        status: { not: "pending" },
        providerPaymentId: { not: null },
        createdAt: { gte: since, lt: startedAt },
      },
      ...order,
      ...(last ? { cursor: { id: last }, skip: 1 } : {}),
      select: {
        id: true,
        userId: true,
        providerCheckoutId: true,
        providerPaymentId: true,
        credits: true,
      },
    });
    for (const { userId: owner, providerCheckoutId, providerPaymentId: id, credits } of rows) {
      if (!id || seen.payments.has(id)) continue;
      // Recorded later than paid: the payment is older than the compared period.
      if (!(await records.findCheckout(providerCheckoutId)))
        yield forOperator(
          {
            provider,
            object: `payment ${id}`,
            userId: owner,
            says: `an order of ${credits} credits here, no payment there`,
          },
          advice,
        );
    }
    last = rows.length === PAGE ? rows.at(-1)?.id : undefined;
  } while (last);
}
