import { cancelSubscription } from "~/models/billing/cancellations/cancellations.server";
import { apiRoute } from "~/server/api-route.server";
import { limitCancellations, noSubscription } from "~/server/payments.server";
import { readJson } from "~/server/read-body.server";
import { requireUser } from "~/server/session.server";
import { cancelSchema } from "~/services/payments/checkout-request";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

const route = apiRoute({
  async POST({ request }) {
    const { id: userId } = await requireUser(request);
    await limitCancellations(userId);
    const { subscriptionId } = await readJson(request, cancelSchema);
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
