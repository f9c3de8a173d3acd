import { getEnv } from "~/env.server";
import { enforceAddressLimit } from "~/server/address-limits.server";
import { apiRoute } from "~/server/api-route.server";
import { readJson } from "~/server/read-body.server";
import { returnParametersSchema } from "~/services/payments/checkout-request";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

const route = apiRoute({
  // Says whether the provider signed the return address. Changes nothing: only webhooks add
  // credits.
  async POST({ request, context }) {
    await enforceAddressLimit("confirm-payment-address", context.clientAddress);
    const parameters = await readJson(request, returnParametersSchema);
    const { enabled, provider } = getEnv().payments;
    const verified =
      enabled &&
      provider !== null &&
      getPaymentProvider(provider).verifyReturn(Object.entries(parameters));
    return { status: verified ? "verified" : "deferred", fulfilled: false };
  },
});

export const loader = route.loader;
export const action = route.action;
