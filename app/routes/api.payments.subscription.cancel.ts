import { cancelSubscription } from "~/models/billing/subscription-management.server";
import { apiRoute } from "~/server/api-route.server";
import { noSubscription } from "~/server/payments.server";
import { readJson } from "~/server/read-body.server";
import { requireUser } from "~/server/session.server";
import { cancelSchema } from "~/services/payments/checkout-request";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

const route = apiRoute({
  async POST({ request }) {
    const { id: userId } = await requireUser(request);
    const { subscriptionId } = await readJson(request, cancelSchema);
    const result = await cancelSubscription({ userId, subscriptionId }, getPaymentProvider);
    if (result.status === "not_found") throw noSubscription();
    return Response.json({
      subscriptionId: result.subscriptionId,
      status: result.subscriptionStatus,
      cancelAtPeriodEnd: true,
      currentPeriodEnd: result.currentPeriodEnd,
    });
  },
});

export const loader = route.loader;
export const action = route.action;
