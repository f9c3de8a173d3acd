import { getEnv } from "~/env.server";
import { createPortal } from "~/models/billing/checkouts/portals.server";
import { requireVerifiedEmail } from "~/server/accounts/require-verified-email.server";
import { requireUser } from "~/server/accounts/session.server";
import { requireFreshSession } from "~/server/accounts/step-up.server";
import {
  lacksPortalVerification,
  limitPortals,
  portalResponse,
} from "~/server/payments/payments.server";
import { apiRoute } from "~/server/request/api-route.server";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

const route = apiRoute({
  async POST({ request }) {
    const user = await requireUser(request);
    await limitPortals(user.id);
    if (await lacksPortalVerification(user)) requireVerifiedEmail(user);
    await requireFreshSession(user);
    const { id: userId, locale } = user;
    const returnUrl = new URL(`/${locale}/account/billing`, getEnv().siteUrl).href;
    const result = await createPortal({ userId, returnUrl }, getPaymentProvider);
    return portalResponse(result);
  },
});

export const loader = route.loader;
export const action = route.action;
