import { redirect } from "@remix-run/node";
import { z } from "zod";
import { findPlan } from "~/catalog";
import type { ListedPayment } from "~/components/billing/listed-payment";
import type { ListedOrder } from "~/components/billing/order-table";
import type { ShownSubscription } from "~/components/billing/subscription-card";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { createPortal } from "~/models/billing/checkouts/portals.server";
import { listOrders } from "~/models/billing/orders/orders.server";
import { listPayments } from "~/models/billing/payments.server";
import { endsAtOnce } from "~/models/billing/subscriptions/ends-at-once";
import {
  getLatestSubscription,
  isRunning,
  listOpenSubscriptions,
  type OwnSubscription,
} from "~/models/billing/subscriptions/management.server";
import { nextCredits } from "~/models/billing/subscriptions/next-credits";
import { formRefused } from "~/server/form-refused.server";
import { portalAnswer } from "~/server/payments.server";
import { invalidInput, readForm } from "~/server/read-body.server";
import { requireVerifiedEmail } from "~/server/require-verified-email.server";
import { requireFreshPage } from "~/server/step-up.server";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

/** The page shows only the newest orders and payments; the database keeps all of them. */
export const ROWS_SHOWN = 100;

/**
 * Returns the subscriptions that may still charge, or else the latest one, and the newest payments and
 * orders.
 */
export async function getBilling(userId: string): Promise<{
  subscriptions: ShownSubscription[];
  payments: ListedPayment[];
  orders: ListedOrder[];
}> {
  const [open, latest, payments, orders] = await Promise.all([
    listOpenSubscriptions(userId),
    getLatestSubscription(userId),
    listPayments({ userId, limit: ROWS_SHOWN }),
    listOrders({ userId, limit: ROWS_SHOWN }),
  ]);
  const now = new Date();
  const rank = (subscription: OwnSubscription) => Number(isRunning(subscription));
  const shown = open.length > 0 ? open.sort((a, b) => rank(b) - rank(a)) : [latest];
  return {
    subscriptions: shown.flatMap((subscription) => (subscription ? [show(subscription, now)] : [])),
    payments: payments.map(({ provider, providerPaymentId, ...payment }) => payment),
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
    planned: plannedOf(subscription),
    changeable: status === "active" && !cancelAtPeriodEnd,
    cancelable: status !== "canceled" && (!cancelAtPeriodEnd || endsAtOnce(subscription)),
  };
}

function plannedOf({ scheduledPlanKey: planKey, scheduledPeriod: period }: OwnSubscription) {
  return planKey && period ? { planKey, period } : null;
}

const portalFormSchema = z.object({ intent: z.literal("portal") });

/** Redirects to the provider's own page for cards, invoices and changes. */
export async function portalFromForm(
  request: Request,
  { user, locale }: { user: SessionUser; locale: Locale },
) {
  await requireFreshPage(user, { locale, path: `/${locale}/account/billing` });
  const fields = Object.fromEntries(await readForm(request, ["intent"]));
  const form = portalFormSchema.safeParse(fields);
  const returnUrl = new URL(`/${locale}/account/billing`, getEnv().siteUrl).href;
  try {
    if (!form.success) throw invalidInput(form.error);
    requireVerifiedEmail(user);
    const result = await createPortal({ userId: user.id, returnUrl }, getPaymentProvider);
    return redirect(portalAnswer(result).url, 303);
  } catch (error) {
    return formRefused({ error });
  }
}
