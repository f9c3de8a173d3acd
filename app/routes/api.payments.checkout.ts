import { startPackCheckout } from "~/models/billing/checkouts/checkouts.server";
import { requireUser } from "~/server/accounts/session.server";
import {
  checkoutResponse,
  limitCheckouts,
  requireCheckoutProvider,
  requireSku,
} from "~/server/payments/payments.server";
import { apiRoute } from "~/server/request/api-route.server";
import { readIdempotencyKey } from "~/server/request/idempotency-key.server";
import { readJson } from "~/server/request/read-body.server";
import { packCheckoutSchema } from "~/services/payments/checkout-request";

const route = apiRoute({
  async POST({ request }) {
    const user = await requireUser(request);
    const { id: userId, email, locale } = user;
    await limitCheckouts(userId);
    const idempotencyKey = readIdempotencyKey(request);
    const skuKey = requireSku((await readJson(request, packCheckoutSchema)).skuKey);

    const result = await startPackCheckout(
      { userId, email, locale, idempotencyKey, skuKey },
      requireCheckoutProvider(user),
    );
    return checkoutResponse(result);
  },
});

export const loader = route.loader;
export const action = route.action;
