import { startSubscriptionCheckout } from "~/models/billing/checkouts/checkouts.server";
import { requireUser } from "~/server/accounts/session.server";
import {
  checkoutResponse,
  limitCheckouts,
  requireCheckoutProvider,
  requirePlanForSale,
} from "~/server/payments/payments.server";
import { apiRoute } from "~/server/request/api-route.server";
import { readIdempotencyKey } from "~/server/request/idempotency-key.server";
import { readJson } from "~/server/request/read-body.server";
import { subscriptionCheckoutSchema } from "~/services/payments/checkout-request";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

const route = apiRoute({
  async POST({ request }) {
    const user = await requireUser(request);
    const { id: userId, email, locale } = user;
    await limitCheckouts(userId);
    const idempotencyKey = readIdempotencyKey(request);
    const { period, ...body } = await readJson(request, subscriptionCheckoutSchema);
    const planKey = requirePlanForSale(body.planKey, period);

    const result = await startSubscriptionCheckout(
      { userId, email, locale, idempotencyKey, planKey, period },
      { provider: requireCheckoutProvider(user), providerOf: getPaymentProvider },
    );
    return checkoutResponse(result);
  },
});

export const loader = route.loader;
export const action = route.action;
