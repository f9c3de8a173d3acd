import { redirect } from "@remix-run/node";
import { z } from "zod";
import { findPlan } from "~/catalog";
import type { ListedOrder } from "~/components/billing/order-table";
import type { ShownSubscription } from "~/components/billing/subscription-card";
import { getEnv } from "~/env.server";
import { nextCredits } from "~/models/billing/next-credits";
import { listOrders } from "~/models/billing/orders.server";
import {
  createPortal,
  getLatestSubscription,
  listRunningSubscriptions,
  type OwnSubscription,
} from "~/models/billing/subscription-management.server";
import { formRefused } from "~/server/form-refused.server";
import { portalAnswer } from "~/server/payments.server";
import { invalidInput, readForm } from "~/server/read-body.server";
import { requireVerifiedEmail } from "~/server/require-verified-email.server";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

/** The page shows only the newest orders; the database keeps all of them. */
export const ORDERS_SHOWN = 100;

/** Returns the running subscriptions, or else the latest one, and the newest orders. */
export async function getBilling(
  userId: string,
): Promise<{ subscriptions: ShownSubscription[]; orders: ListedOrder[] }> {
  const [running, latest, orders] = await Promise.all([
    listRunningSubscriptions(userId),
    getLatestSubscription(userId),
    listOrders({ userId, limit: ORDERS_SHOWN }),
  ]);
  const now = new Date();
  const ended = running.length === 0 && latest ? [show(latest, { now, isRunning: false })] : [];
  return {
    subscriptions: [
      ...running.map((subscription) => show(subscription, { now, isRunning: true })),
      ...ended,
    ],
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

function show(
  subscription: OwnSubscription,
  { now, isRunning }: { now: Date; isRunning: boolean },
): ShownSubscription {
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
    planned: plannedOf(subscription),
    changeable: isRunning && status === "active" && !cancelAtPeriodEnd,
    cancelable: isRunning && !cancelAtPeriodEnd,
  };
}

function plannedOf({ scheduledPlanKey: planKey, scheduledPeriod: period }: OwnSubscription) {
  return planKey && period ? { planKey, period } : null;
}

const portalFormSchema = z.object({ intent: z.literal("portal") });

/** Redirects to the provider's own page for cards, invoices and changes. */
export async function portalFromForm(
  request: Request,
  { userId, emailVerified, locale }: { userId: string; emailVerified: boolean; locale: string },
) {
  const fields = Object.fromEntries(await readForm(request, ["intent"]));
  const form = portalFormSchema.safeParse(fields);
  const returnUrl = new URL(`/${locale}/account/billing`, getEnv().siteUrl).href;
  try {
    if (!form.success) throw invalidInput(form.error);
    requireVerifiedEmail({ emailVerified });
    const result = await createPortal({ userId, returnUrl }, getPaymentProvider);
    return redirect(portalAnswer(result).url, 303);
  } catch (error) {
    return formRefused({ error });
  }
}
