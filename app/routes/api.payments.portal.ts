import { getEnv } from "~/env.server";
import { createPortal } from "~/models/billing/subscription-management.server";
import { apiRoute } from "~/server/api-route.server";
import { noCustomer } from "~/server/payments.server";
import { requireUser } from "~/server/session.server";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

const route = apiRoute({
  async POST({ request }) {
    const { id: userId, locale } = await requireUser(request);
    const returnUrl = new URL(`/${locale}/account/billing`, getEnv().siteUrl).href;
    const url = await createPortal({ userId, returnUrl }, getPaymentProvider);
    if (url === null) throw noCustomer();
    return Response.json({ url });
  },
});

export const loader = route.loader;
export const action = route.action;
