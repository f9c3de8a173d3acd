import { getEnv } from "~/env.server";
import { createPortal } from "~/models/billing/checkouts/portals.server";
import { requireUser } from "~/server/accounts/session.server";
import { requireFreshSession } from "~/server/accounts/step-up.server";
import { limitPortals, portalProviderOf, portalResponse } from "~/server/payments/payments.server";
import { apiRoute } from "~/server/request/api-route.server";

const route = apiRoute({
  async POST({ request }) {
    const user = await requireUser(request);
    await limitPortals(user.id);
    await requireFreshSession(user);
    const { id: userId, locale } = user;
    const returnUrl = new URL(`/${locale}/account/billing`, getEnv().siteUrl).href;
    const result = await createPortal({ userId, returnUrl }, portalProviderOf(user));
    return portalResponse(result);
  },
});

export const loader = route.loader;
export const action = route.action;
