import { randomBytes } from "node:crypto";
import type { RequestHandler } from "express";
import helmet from "helmet";
import type { Env } from "~/env.server";

/**
 * Security headers for every response. Scripts run by this response's nonce only; pictures and
 * direct uploads may go to the configured store and nowhere else of ours.
 *
 * `Referrer-Policy` is strict-origin-when-cross-origin: with `no-referrer` browsers send
 * `Origin: null` from plain forms, which the same-origin rule refuses.
 */
export function securityHeaders(env: Env): RequestHandler[] {
  const https = env.siteUrl.protocol === "https:";
  const development = env.nodeEnv === "development";
  const storeOrigins = env.storage.enabled
    ? [env.storage.endpoint, env.storage.publicUrl].flatMap((url) => (url ? [url.origin] : []))
    : [];
  return [
    (_request, response, next) => {
      response.locals.cspNonce = randomBytes(16).toString("base64");
      next();
    },
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: [
            "'self'",
            (_request, response) =>
              `'nonce-${(response as { locals?: { cspNonce?: string } }).locals?.cspNonce}'`,
          ],
          styleSrc: ["'self'", ...(development ? ["'unsafe-inline'"] : [])],
          imgSrc: ["'self'", "data:", "https:", ...storeOrigins, ...localImageOrigins(env)],
          fontSrc: ["'self'"],
          connectSrc: ["'self'", ...storeOrigins, ...(development ? ["ws:"] : [])],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          baseUri: ["'none'"],
          ...(https ? { upgradeInsecureRequests: [] } : {}),
        },
      },
      crossOriginEmbedderPolicy: false,
      referrerPolicy: { policy: "strict-origin-when-cross-origin" },
      strictTransportSecurity: https ? { maxAge: 31_536_000 } : false,
      xFrameOptions: { action: "deny" },
    }),
    (_request, response, next) => {
      response.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
      next();
    },
  ];
}

/** Pictures that could not be saved are shown from their provider: https, or a stand-in on this machine. */
function localImageOrigins({ images }: Env): string[] {
  const bases = Object.values(images.providers).map(({ apiBase }) => new URL(apiBase));
  return bases.filter(({ protocol }) => protocol === "http:").map(({ origin }) => origin);
}
