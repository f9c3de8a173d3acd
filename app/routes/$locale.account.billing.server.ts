import { redirect } from "@remix-run/node";
import { z } from "zod";
import type { ListedOrder } from "~/components/billing/listed-order";
import type { ListedPayment } from "~/components/billing/listed-payment";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { createPortal } from "~/models/billing/checkouts/portals.server";
import { listOrders } from "~/models/billing/orders/orders.server";
import { listPayments } from "~/models/billing/payments.server";
import {
  getLatestSubscription,
  isRunning,
  listOpenSubscriptions,
  type OwnSubscription,
} from "~/models/billing/subscriptions/management.server";
import { findOutlook, type ShownOutlook } from "~/models/billing/subscriptions/outlook.server";
import {
  type ShownSubscription,
  showSubscription,
} from "~/models/billing/subscriptions/shown-subscription";
import type { Holdings } from "~/models/credits/holdings";
import { getHoldings } from "~/models/credits/holdings.server";
import { requireFreshPage } from "~/server/accounts/step-up.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import {
  lacksPortalVerification,
  limitPortals,
  portalProviderOf,
  portalResponse,
} from "~/server/payments/payments.server";
import { formRefused } from "~/server/request/form-refused.server";
import { invalidInput, readForm } from "~/server/request/read-body.server";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";
import { AppError } from "~/utils/app-error";
import { currentRequest } from "~/utils/request-context.server";

/** The page shows only the newest orders and payments; the database keeps all of them. */
export const ROWS_SHOWN = 100;

/** A subscription, and what its provider says of its card and next invoice; null if it wasn't asked. */
export interface BilledSubscription {
  shown: ShownSubscription;
  outlook: ShownOutlook | null;
}

/**
 * Returns the subscriptions that may still charge, or else the latest one, the newest payments and
 * orders, and the credits. `response` is there if the provider was asked too often: it says when to try
 * again.
 */
export async function getBilling(userId: string): Promise<{
  subscriptions: BilledSubscription[];
  response: ResponseInit | null;
  payments: ListedPayment[];
  orders: ListedOrder[];
  holdings: Holdings;
}> {
  const [open, latest, payments, orders, holdings] = await Promise.all([
    listOpenSubscriptions(userId),
    getLatestSubscription(userId),
    listPayments({ userId, limit: ROWS_SHOWN }),
    listOrders({ userId, limit: ROWS_SHOWN }),
    getHoldings(userId),
  ]);
  const now = new Date();
  const rank = (subscription: OwnSubscription) => Number(isRunning(subscription));
  const listed = open.length > 0 ? open.sort((a, b) => rank(b) - rank(a)) : [latest];
  const own = listed.filter((subscription) => subscription !== null);
  const { outlooks, response } = await askProviders(userId, own.filter(isRunning));
  return {
    subscriptions: own.map((subscription) => ({
      shown: showSubscription(subscription, now),
      outlook: outlooks.get(subscription.id) ?? null,
    })),
    response,
    payments: payments.map(({ provider, providerPaymentId, ...payment }) => payment),
    orders: orders.map(({ id, credits, amount, currency, status, createdAt }) => ({
      id,
      credits,
      amount,
      currency,
      status,
      createdAt,
    })),
    holdings,
  };
}

/** Asks about all of them at once. Beyond the limit it asks about none, and neither for a refused form. */
async function askProviders(userId: string, running: OwnSubscription[]) {
  const outlooks = new Map<string, ShownOutlook>();
  if (running.length === 0 || currentRequest()?.method === "POST")
    return { outlooks, response: null };
  try {
    await enforceRateLimit(limitRule("billing-page-user", userId));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    for (const { id } of running) outlooks.set(id, { status: "limited" });
    return { outlooks, response: { status: error.status, headers: error.headers } };
  }
  const ask = async (subscription: OwnSubscription) =>
    outlooks.set(subscription.id, await findOutlook(subscription, getPaymentProvider));
  await Promise.all(running.map(ask));
  return { outlooks, response: null };
}

const portalFormSchema = z.object({ intent: z.literal("portal") });

/** Redirects to the provider's own page for cards, invoices and changes. */
export async function portalFromForm(
  request: Request,
  { user, locale }: { user: SessionUser; locale: Locale },
) {
  const path = `/${locale}/account/billing`;
  // Before the password: who isn't verified would type it in vain.
  if (!(await lacksPortalVerification(user)))
    await requireFreshPage(user, {
      locale,
      path,
      form: { action: path, fields: { intent: "portal" }, what: "portal" },
    });
  const fields = Object.fromEntries(await readForm(request, ["intent"]));
  const form = portalFormSchema.safeParse(fields);
  const returnUrl = new URL(path, getEnv().siteUrl).href;
  try {
    if (!form.success) throw invalidInput(form.error);
    await limitPortals(user.id);
    const result = await createPortal({ userId: user.id, returnUrl }, portalProviderOf(user));
    return redirect(portalResponse(result).url, 303);
  } catch (error) {
    return formRefused({ error });
  }
}
