import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import helmet from "helmet";
import type { Env } from "~/env.server";
import { signInOrigins } from "~/services/auth/oauth/oauth-endpoints";
import { isChallengePage } from "~/services/bot-challenge/challenge";
import { hostedOrigins } from "~/services/payments/hosted-origins";
import { storeOrigins } from "~/services/storage/store-origins.server";

/**
 * Security headers for every response. Scripts run only with this response's nonce. The browser
 * connects only to this site and the configured store. Images may come from any https origin, since
 * a provider's image is shown directly if it couldn't be saved. Forms may lead to this site and to
 * the hosted pages of the payment and sign-in providers, because Chrome applies the rule to the redirect
 * after a form, too. Only the pages that show the bot challenge may load its script and frame.
 *
 * `Referrer-Policy` is strict-origin-when-cross-origin: with `no-referrer`, browsers send `Origin:
 * null` from plain forms, which the same-origin rule refuses.
 */
export function securityHeaders(env: Env): RequestHandler[] {
  const https = env.siteUrl.protocol === "https:";
  const development = env.nodeEnv === "development";
  const store = storeOrigins(env.storage);
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
            (request) => challengeOrigin(env, request),
          ],
          frameSrc: [(request) => challengeOrigin(env, request) || "'none'"],
          styleSrc: ["'self'", ...(development ? ["'unsafe-inline'"] : [])],
          imgSrc: ["'self'", "data:", "https:", ...store, ...localImageOrigins(env)],
          fontSrc: ["'self'"],
          manifestSrc: ["'self'"],
          connectSrc: ["'self'", ...store, ...(development ? ["ws:"] : [])],
          formAction: ["'self'", ...hostedOrigins(env.payments), ...signInOrigins(env.oauth)],
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

/** The bot challenge's origin on the pages that show it; empty on all others, and while it is off. */
function challengeOrigin({ turnstile }: Env, { url = "" }: IncomingMessage): string {
  const [pathname = ""] = url.split("?", 1);
  return turnstile && isChallengePage(pathname) ? new URL(turnstile.apiBase).origin : "";
}

/** Origins of the http stand-ins on this machine, whose unsaved images are shown directly, too. */
function localImageOrigins({ images }: Env): string[] {
  const bases = Object.values(images.providers).map(({ apiBase }) => new URL(apiBase));
  return bases.filter(({ protocol }) => protocol === "http:").map(({ origin }) => origin);
}
