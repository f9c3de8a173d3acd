import { startPackCheckout } from "~/models/billing/checkouts.server";
import { apiRoute } from "~/server/api-route.server";
import { readIdempotencyKey } from "~/server/idempotency-key.server";
import { checkoutAnswer, limitCheckouts, requireSku } from "~/server/payments.server";
import { readJson } from "~/server/read-body.server";
import { requireUser } from "~/server/session.server";
import { packCheckoutSchema } from "~/services/payments/checkout-request";
import { requireActiveProvider } from "~/services/payments/get-payment-provider.server";

const route = apiRoute({
  async POST({ request }) {
    const { id: userId, email, locale } = await requireUser(request);
    const idempotencyKey = readIdempotencyKey(request);
    const skuKey = requireSku((await readJson(request, packCheckoutSchema)).skuKey);
    await limitCheckouts(userId);

    const result = await startPackCheckout(
      { userId, email, locale, idempotencyKey, skuKey },
      requireActiveProvider(),
    );
    return Response.json(checkoutAnswer(result));
  },
});

export const loader = route.loader;
export const action = route.action;
