import { randomBytes } from "node:crypto";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { RequestHandler } from "express";
import helmet from "helmet";
import type { Env } from "~/env.server";
import { signInOrigins } from "~/services/auth/oauth/oauth-endpoints";
import { isChallengePage } from "~/services/bot-challenge/challenge";
import { hostedOrigins } from "~/services/payments/hosted-origins";
import { storeOrigins } from "~/services/storage/store-origins.server";

/** 128 bits, as the Content Security Policy specification asks for. */
const NONCE_BYTES = 16;

/** Stands for a response's nonce in the policy that is made once. */
const NONCE = "'nonce-'";

/**
 * Security headers for every response. Scripts run only with this response's nonce. The browser
 * connects only to this site and the configured store. Images may come from any https origin, since
 * a provider's image is shown directly if it couldn't be saved. Forms may lead to this site and to
 * the hosted pages of the payment and sign-in providers, because Chrome applies the rule to the redirect
 * after a form, too. Only the pages that show the bot challenge may load its script and frame.
 *
 * `Referrer-Policy` is strict-origin-when-cross-origin: with `no-referrer`, browsers send `Origin:
 * null` from plain forms, which the same-origin rule refuses.
 *
 * All but the nonce is computed once, when the server starts.
 */
export function securityHeaders(env: Env): RequestHandler {
  const fixed = fixedHeaders(env);
  const own = { scripts: ["'self'", NONCE], frames: [] };
  const plain = contentPolicy(env, own).split(NONCE);
  const origin = env.turnstile && new URL(env.turnstile.apiBase).origin;
  const challenge = origin
    ? contentPolicy(env, {
        ...own,
        scripts: [...own.scripts, origin],
        frames: [origin],
      }).split(NONCE)
    : plain;
  return (request, response, next) => {
    const nonce = randomBytes(NONCE_BYTES).toString("base64");
    response.locals.cspNonce = nonce;
    for (const [name, value] of fixed) response.setHeader(name, value);
    const parts = isChallengePage(request.path) ? challenge : plain;
    response.setHeader("Content-Security-Policy", parts.join(`'nonce-${nonce}'`));
    next();
  };
}

/**
 * Returns a `Content-Security-Policy` that allows these scripts and frames and no others, and this site's style
 * sheets.
 */
export function contentPolicy(
  env: Env,
  { scripts, frames }: { scripts: string[]; frames: string[] },
): string {
  const development = env.nodeEnv === "development";
  const store = storeOrigins(env.storage);
  const policy = helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: scripts.length > 0 ? scripts : ["'none'"],
      frameSrc: frames.length > 0 ? frames : ["'none'"],
      styleSrc: ["'self'", ...(development ? ["'unsafe-inline'"] : [])],
      imgSrc: ["'self'", "data:", "https:", ...store, ...localImageOrigins(env)],
      fontSrc: ["'self'"],
      manifestSrc: ["'self'"],
      objectSrc: ["'none'"],
      connectSrc: ["'self'", ...store, ...(development ? ["ws:"] : [])],
      formAction: ["'self'", ...hostedOrigins(env.payments), ...signInOrigins(env.oauth)],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      ...(isHttps(env) ? { upgradeInsecureRequests: [] } : {}),
    },
  });
  return new Map(headersOf(policy)).get("content-security-policy") ?? "";
}

/** The headers of a response that runs and loads nothing. */
export function bareHeaders(env: Env): [string, string][] {
  const policy = contentPolicy(env, { scripts: [], frames: [] });
  return [...fixedHeaders(env), ["Content-Security-Policy", policy]];
}

/** Returns the headers that are the same on every response. */
function fixedHeaders(env: Env): [string, string][] {
  const others = helmet({
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    strictTransportSecurity: isHttps(env)
      ? { maxAge: 31_536_000, includeSubDomains: env.hstsIncludeSubdomains }
      : false,
    xFrameOptions: { action: "deny" },
  });
  return [...headersOf(others), ["Permissions-Policy", "camera=(), geolocation=(), microphone=()"]];
}

type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** Runs helmet's middleware on a response that nobody gets, and returns the headers it sets. */
function headersOf(middleware: Middleware): [string, string][] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  middleware(request, response, (error) => {
    if (error) throw error;
  });
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}

function isHttps({ siteUrl }: Env): boolean {
  return siteUrl.protocol === "https:";
}

/** Origins of the http stand-ins on this machine, whose unsaved images are shown directly, too. */
function localImageOrigins({ images }: Env): string[] {
  const bases = Object.values(images.providers).map(({ apiBase }) => new URL(apiBase));
  return bases.filter(({ protocol }) => protocol === "http:").map(({ origin }) => origin);
}
