import { resumeSubscription } from "~/models/billing/cancellations/resumptions.server";
import { requireUser } from "~/server/accounts/session.server";
import {
  limitCancellations,
  noSubscription,
  subscriptionEnded,
} from "~/server/payments/payments.server";
import { apiRoute } from "~/server/request/api-route.server";
import { readJson } from "~/server/request/read-body.server";
import { ownSubscriptionSchema } from "~/services/payments/checkout-request";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

const route = apiRoute({
  async POST({ request }) {
    const { id: userId } = await requireUser(request);
    await limitCancellations(userId);
    const { subscriptionId } = await readJson(request, ownSubscriptionSchema);
    const result = await resumeSubscription({ userId, subscriptionId }, getPaymentProvider);
    if (result.status === "not_found") throw noSubscription();
    if (result.status === "ended") throw subscriptionEnded();
    const { subscriptionId: id, subscriptionStatus: status, currentPeriodEnd } = result;
    return { subscriptionId: id, status, cancelAtPeriodEnd: false, currentPeriodEnd };
  },
});

export const loader = route.loader;
export const action = route.action;
