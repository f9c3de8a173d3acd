import { data, redirect } from "@remix-run/node";
import { z } from "zod";
import { findPlan } from "~/catalog";
import type { ListedOrder } from "~/components/billing/order-table";
import type { ShownSubscription } from "~/components/billing/subscription-card";
import { getEnv } from "~/env.server";
import { endsAtOnce } from "~/models/billing/ends-at-once";
import { nextCredits } from "~/models/billing/next-credits";
import { listOrders } from "~/models/billing/orders.server";
import { createPortal } from "~/models/billing/portals.server";
import {
  getLatestSubscription,
  isRunning,
  listOpenSubscriptions,
  type OwnSubscription,
} from "~/models/billing/subscription-management.server";
import { paymentRefused } from "~/server/payment-refused.server";
import { portalAnswer } from "~/server/payments.server";
import { readForm } from "~/server/read-body.server";
import { requireVerifiedEmail } from "~/server/require-verified-email.server";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

/** The page shows only the newest orders; the database keeps all of them. */
export const ORDERS_SHOWN = 100;

/** Returns the subscriptions that may still charge, or else the latest one, and the newest orders. */
export async function getBilling(
  userId: string,
): Promise<{ subscriptions: ShownSubscription[]; orders: ListedOrder[] }> {
  const [open, latest, orders] = await Promise.all([
    listOpenSubscriptions(userId),
    getLatestSubscription(userId),
    listOrders({ userId, limit: ORDERS_SHOWN }),
  ]);
  const now = new Date();
  const rank = (subscription: OwnSubscription) => Number(isRunning(subscription));
  const shown = open.length > 0 ? open.sort((a, b) => rank(b) - rank(a)) : [latest];
  return {
    subscriptions: shown.flatMap((subscription) => (subscription ? [show(subscription, now)] : [])),
    orders: orders.map(({ id, credits, amount, currency, status, createdAt }) => ({
      id,
      credits,
      amount,
      currency,
      status,
      createdAt,
    })),
  };
}

function show(subscription: OwnSubscription, now: Date): ShownSubscription {
  const { id, planKey, period, status, cancelAtPeriodEnd, endedAt } = subscription;
  return {
    id,
    planKey,
    period,
    amount: findPlan(planKey)?.amounts[period] ?? null,
    status,
    cancelAtPeriodEnd,
    periodEnd: subscription.currentPeriodEnd,
    endedAt,
    nextCredits: nextCredits(subscription, now),
    cancelable: status !== "canceled" && (!cancelAtPeriodEnd || endsAtOnce(subscription)),
  };
}

const portalFormSchema = z.object({ intent: z.literal("portal") });

/** Redirects to the provider's own page for cards, invoices and changes. */
export async function portalFromForm(
  request: Request,
  { userId, emailVerified, locale }: { userId: string; emailVerified: boolean; locale: string },
) {
  const fields = Object.fromEntries(await readForm(request, ["intent"]));
  if (!portalFormSchema.safeParse(fields).success) {
    return data({ refusal: { code: "no_customer" } }, { status: 400 });
  }
  const returnUrl = new URL(`/${locale}/account/billing`, getEnv().siteUrl).href;
  try {
    requireVerifiedEmail({ emailVerified });
    const result = await createPortal({ userId, returnUrl }, getPaymentProvider);
    return redirect(portalAnswer(result).url, 303);
  } catch (error) {
    return paymentRefused(error);
  }
}
