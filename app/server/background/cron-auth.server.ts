import { getEnv } from "~/env.server";
import { hasBearer } from "~/server/request/bearer.server";
import { AppError } from "~/utils/app-error";
import { securityEvent } from "~/utils/security-event.server";

/**
 * Admits the scheduler only: `Authorization: Bearer <CRON_SECRET>`, compared in constant time.
 * @throws AppError 503 cron_disabled without a CRON_SECRET, 401 unauthenticated
 */
export function requireCronSecret(request: Request): void {
  const { cronSecret } = getEnv();
  if (cronSecret === null) {
    throw new AppError({
      code: "cron_disabled",
      publicMessage:
        "CRON_SECRET isn't set on this server, so scheduled tasks can't be started. Set it, then try again.",
    });
  }
  if (hasCronSecret(request)) return;
  const reason = request.headers.has("Authorization") ? "wrong_bearer" : "no_bearer";
  securityEvent("bearer_refused", { outcome: "failure", reason });
  throw new AppError({
    code: "unauthenticated",
    publicMessage:
      "The secret is missing or wrong. Send the header `Authorization: Bearer` followed by CRON_SECRET.",
    headers: { "WWW-Authenticate": "Bearer" },
  });
}

/** Whether a request carries the scheduler's bearer token; always false without a `CRON_SECRET`. */
export function hasCronSecret(request: Request): boolean {
  return hasBearer(request, getEnv().cronSecret);
}
