import { compareSubscription } from "~/models/billing/reconciliation/compare-subscriptions.server";
import type { Comparison } from "~/models/billing/reconciliation/comparison.server";
import {
  type Difference,
  forOperator,
  repairable,
} from "~/models/billing/reconciliation/difference";
import { MAY_CHARGE } from "~/models/billing/subscriptions/management.server";
import { subscriptionEnded } from "~/services/payments/subscription-ended";

const PAGE = 500;

/** Objects that the provider listed, by the id in our rows. */
export interface Seen {
  /** Ids of orders' payments. */
  payments: Set<string>;
  subscriptions: Set<string>;
}

/** A row that the provider did not list, and how to tell whether a repair worked. */
export interface Absent {
  difference: Difference;
  /** The differences that are left after a repair. */
  recheck: () => Promise<Difference[]>;
}

/**
 * Returns our subscriptions that the provider did not list, though they may still charge: the provider is
 * asked for each. One that it does not have can charge nobody and is ended here.
 */
export async function* listAbsentSubscriptions(
  comparison: Comparison,
  seen: Seen,
): AsyncGenerator<Absent> {
  const { db, records, userId, startedAt } = comparison;
  const provider = records.name;
  let last: string | undefined;
  do {
    const rows = await db.subscription.findMany({
      where: {
        ...{ provider, ...(userId ? { userId } : {}), ...MAY_CHARGE },
        createdAt: { lt: startedAt },
      },
      orderBy: { id: "asc" },
      take: PAGE,
      ...(last ? { cursor: { id: last }, skip: 1 } : {}),
      select: { id: true, providerSubscriptionId: true },
    });
    for (const { id, providerSubscriptionId } of rows) {
      if (seen.subscriptions.has(providerSubscriptionId)) continue;
      const recheck = () => compareUnlisted(id, comparison);
      for (const difference of await recheck()) yield { difference, recheck };
    }
    last = rows.length === PAGE ? rows.at(-1)?.id : undefined;
  } while (last);
}

async function compareUnlisted(id: string, comparison: Comparison): Promise<Difference[]> {
  const { db, records } = comparison;
  const { userId, status, providerSubscriptionId } = await db.subscription.findUniqueOrThrow({
    where: { id },
    select: { userId: true, status: true, providerSubscriptionId: true },
  });
  if (status === "canceled") return [];
  const there = await records.findSubscription(providerSubscriptionId);
  // Its list changed while it was read.
  if (there?.kind === "subscription_changed") return compareSubscription(there, comparison);
  const found = {
    provider: records.name,
    object: `subscription ${providerSubscriptionId}`,
    userId,
    says: `${status} here, not there`,
  };
  if (there) return [forOperator(found, "it cannot be read: look it up there")];
  return [
    repairable(found, "end it here", [
      subscriptionEnded({ providerSubscriptionId, endedAt: null }),
    ]),
  ];
}

/** Returns our orders of the compared period that the provider doesn't know. This repairs nothing. */
export async function* listAbsentOrders(
  comparison: Comparison,
  seen: Seen,
): AsyncGenerator<Difference> {
  const { db, records, userId, since, startedAt } = comparison;
  const provider = records.name;
  const advice = "look it up there: rows come only from signed webhooks";
  const whose = { provider, ...(userId ? { userId } : {}) };
  const order = { orderBy: { id: "asc" }, take: PAGE } as const;
  let last: string | undefined;

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
