import { getEnv } from "~/env.server";
import { createPortal } from "~/models/billing/checkouts/portals.server";
import { apiRoute } from "~/server/api-route.server";
import { limitPortals, portalAnswer } from "~/server/payments.server";
import { requireVerifiedEmail } from "~/server/require-verified-email.server";
import { requireUser } from "~/server/session.server";
import { requireFreshSession } from "~/server/step-up.server";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

const route = apiRoute({
  async POST({ request }) {
    const user = await requireUser(request);
    await limitPortals(user.id);
    requireVerifiedEmail(user);
    await requireFreshSession(user);
    const { id: userId, locale } = user;
    const returnUrl = new URL(`/${locale}/account/billing`, getEnv().siteUrl).href;
    const result = await createPortal({ userId, returnUrl }, getPaymentProvider);
    return portalAnswer(result);
  },
});

export const loader = route.loader;
export const action = route.action;
