import { cancelSubscription } from "~/models/billing/cancellations/cancellations.server";
import { requireUser } from "~/server/accounts/session.server";
import { limitCancellations, noSubscription } from "~/server/payments/payments.server";
import { apiRoute } from "~/server/request/api-route.server";
import { readJson } from "~/server/request/read-body.server";
import { ownSubscriptionSchema } from "~/services/payments/checkout-request";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

const route = apiRoute({
  async POST({ request }) {
    const { id: userId } = await requireUser(request);
    await limitCancellations(userId);
    const { subscriptionId } = await readJson(request, ownSubscriptionSchema);
    const result = await cancelSubscription({ userId, subscriptionId }, getPaymentProvider);
    if (result.status === "not_found") throw noSubscription();
    const { subscriptionId: id, currentPeriodEnd } = result;
    return {
      subscriptionId: id,
      status: result.status === "ended" ? "canceled" : result.subscriptionStatus,
      cancelAtPeriodEnd: result.status === "scheduled",
      currentPeriodEnd,
    };
  },
});

export const loader = route.loader;
export const action = route.action;
