import type { RequestHandler } from "express";
import { requestHost } from "~/server/http/guards/forwarded-headers.server";
import { sendProblem } from "~/server/request/problem-response.server";
import { securityEvent } from "~/utils/security-event.server";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
/** Their signatures admit them: the payment provider's, and ours on the link that turns off emails. */
const EXEMPT_PATHS = new Set(["/api/payments/webhook", "/unsubscribe"]);

/**
 * Refuses state-changing requests sent by another site's page (403 cross_origin). The `Origin`,
 * `null` included, must equal the site's or the request's own, scheme included. Requests without
 * `Origin` and `Sec-Fetch-Site` pass, since browsers always send one of them.
 *
 * Removes `Origin` from requests that pass: Remix's own check knows neither the site URL nor
 * `TRUST_PROXY`, and would respond to a valid request behind a proxy with a 500.
 */
export function sameOriginOnly(options: { siteUrl: URL }): RequestHandler {
  return (request, response, next) => {
    if (SAFE_METHODS.has(request.method) || EXEMPT_PATHS.has(request.path)) return next();
    const origin = request.headers.origin;
    const ownOrigin = `${request.protocol}://${requestHost(request.headers)}`;
    const foreignOrigin =
      origin !== undefined && origin !== options.siteUrl.origin && origin !== ownOrigin;
    if (foreignOrigin || request.headers["sec-fetch-site"] === "cross-site") {
      securityEvent("origin_refused", { outcome: "failure" });
      return sendProblem(response, {
        code: "cross_origin",
        detail: "This request came from another site. Open the page here and send it again.",
      });
    }
    delete request.headers.origin;
    next();
  };
}
