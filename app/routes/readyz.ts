import { apiRoute } from "~/server/api-route.server";
import { hasCronSecret } from "~/server/cron-auth.server";
import { getReadiness } from "~/server/readiness.server";
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
