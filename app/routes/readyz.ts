import { hasCronSecret } from "~/server/background/cron-auth.server";
import { apiRoute } from "~/server/request/api-route.server";
import { getReadiness } from "~/server/site/readiness.server";
import { securityEvent } from "~/utils/security-event.server";

/** Whether this process can serve. Only the scheduler's bearer token gets details. */
const route = apiRoute({
  async GET({ request }) {
    const { ready, failing, details } = await getReadiness();
    const isOperator = hasCronSecret(request);
    if (!isOperator && request.headers.has("Authorization")) {
      securityEvent("bearer_refused", { outcome: "failure", details: { route: "/readyz" } });
    }
    return Response.json(
      { status: ready ? "ready" : "not_ready", failing, ...(isOperator ? details : {}) },
      { status: ready ? 200 : 503 },
    );
  },
});

export const loader = route.loader;
export const action = route.action;
