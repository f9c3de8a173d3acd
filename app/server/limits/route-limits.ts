import type { RateLimitName } from "~/server/limits/rate-limit-rules";
import type { ApiKeyScope } from "~/services/auth/api-key-scopes";

/** The limits that stop a flood of requests to a route, or why a flood does no more there than to a page. */
export type RouteLimit =
  | {
      limits: readonly [RateLimitName, ...RateLimitName[]];
      /** The scopes of API keys that open the route; absent where none does. */
      keys?: readonly ApiKeyScope[];
    }
  | { unlimited: string };

const by = (...limits: [RateLimitName, ...RateLimitName[]]): RouteLimit => ({ limits });
/** A route that programs may use with an API key of one of these scopes. */
const withKeys = (keys: readonly ApiKeyScope[], ...limits: RateLimitName[]): RouteLimit => ({
  limits: ["api-key", "wrong-key-address", ...limits],
  keys,
});
const unlimited = (reason: string): RouteLimit => ({ unlimited: reason });

const CONSTANT = unlimited("It is the same for everybody, and made once.");
const NOWHERE = unlimited("Nothing is there: a page that says so.");
const REDIRECT = unlimited("It redirects, and reads nothing but the session.");
const CRON = unlimited("Without the scheduler's secret it does nothing.");
const ADMIN = unlimited(
  "Only an admin with a fresh proof of identity gets there; for everybody else nothing is there.",
);
const DEVELOPMENT = unlimited("It is there in development alone.");

const PASSWORDS = ["wrong-password-user", "password-user"] as const;
const CODES = [
  "wrong-code-user",
  "wrong-code-user-day",
  "wrong-code-device",
  "wrong-code-device-day",
  "wrong-recovery-code-user",
  "wrong-recovery-code-device",
] as const;

/**
 * Every route that isn't just a page to read, by method and address: all that take a POST or a DELETE, all that
 * return something else than a page for a GET, and the pages whose reading asks a provider. A new route has
 * to stand here; a test compares the table with the routes and sends each of its limits a flood.
 */
export const ROUTE_LIMITS: Record<string, RouteLimit> = {
  "POST /{locale}/sign-in": by(
    "sign-in-address",
    "sign-in-account-address",
    "sign-in-device",
    "sign-in-unproven-address",
    "signed-in-address",
    "signed-in-account",
    "signed-in-device",
  ),
  "POST /{locale}/sign-in/code": by(...CODES),
  "POST /{locale}/sign-in/passkey": by("passkey-sign-in-address"),
  "POST /{locale}/sign-in-link": by("sign-in-link-address", "mailed-link-address"),
  "GET /{locale}/auth/{provider}": REDIRECT,
  "POST /{locale}/auth/{provider}": by("provider-address"),
  "GET /auth/{provider}/callback": unlimited(
    "A return from a provider counts once, and `provider-address` counted its start.",
  ),
  "POST /{locale}/sign-up": by("new-password-address", "sign-up-address", "held-sign-up-address"),
  "POST /{locale}/verify-email": by("form-session", "sign-in-account-address"),
  "POST /{locale}/forgot-password": by("reset-address", "reset-unproven-address"),
  "POST /{locale}/reset-password": by("new-password-address"),
  "POST /api/passkeys/options": by("passkey-challenge-address", "passkey-user"),
  "GET /{locale}/sign-out": REDIRECT,
  "POST /{locale}/sign-out": unlimited(
    "It ends the session that it comes with, and each session was begun by a sign-in, which is limited.",
  ),

  "POST /{locale}/admin": NOWHERE,
  "POST /{locale}/admin/figures": NOWHERE,
  "GET /{locale}/admin/figures.csv": ADMIN,
  "POST /{locale}/admin/figures.csv": NOWHERE,
  "GET /{locale}/admin/users/{userId}": ADMIN,
  "POST /{locale}/admin/users/{userId}": NOWHERE,
  "POST /{locale}/admin/users/{userId}/content": NOWHERE,
  "GET /{locale}/admin/users/{userId}/act": ADMIN,
  "POST /{locale}/admin/users/{userId}/act": ADMIN,

  "POST /{locale}/account/confirm": by(...PASSWORDS, ...CODES, "passkey-user"),
  "POST /{locale}/account/confirm/link": by("confirm-link-user", "form-session"),
  "POST /{locale}/account/profile": by("form-session", "verify-user"),
  "POST /{locale}/account/email": by("change-email-user"),
  "POST /{locale}/change-email": by("form-session"),
  "POST /{locale}/account/limits": by("form-session"),
  "POST /{locale}/account/api-keys": by("form-session", ...PASSWORDS),
  "POST /{locale}/account/data": by("form-session", "support-access-user"),
  "POST /{locale}/account/security": by("form-session", ...PASSWORDS, "new-password-address"),
  "POST /{locale}/account/security/passkeys": by("form-session"),
  "POST /{locale}/account/security/totp": by("form-session", "wrong-code-user"),
  "GET /{locale}/account/export": by("export-user"),
  "GET /{locale}/account/credits.csv": by("credits-csv-user"),
  "GET /{locale}/account/usage.csv": by("usage-csv-user"),
  "GET /api/account/credits": withKeys(["read"], "list-user"),
  "POST /{locale}/account/delete": by("delete-account-user"),
  "GET /unsubscribe": unlimited("It redirects, and reads one row for a link that we signed."),
  "POST /unsubscribe": by("unsubscribe-user"),
  "POST /{locale}/unsubscribe": by("unsubscribe-user"),

  "POST /{locale}/pricing": by("checkout-user"),
  "POST /{locale}/checkout/start": by("checkout-user"),
  "POST /api/payments/checkout": by("checkout-user"),
  "POST /api/payments/subscription/checkout": by("checkout-user"),
  "GET /{locale}/account/billing": by("billing-page-user"),
  "POST /{locale}/account/billing": by("portal-user"),
  "POST /api/payments/portal": by("portal-user"),
  "POST /{locale}/account/billing/cancel": by("cancel-resume-user"),
  "POST /{locale}/account/billing/resume": by("cancel-resume-user"),
  "POST /api/payments/subscription/cancel": by("cancel-resume-user"),
  "POST /api/payments/subscription/resume": by("cancel-resume-user"),
  "GET /{locale}/account/billing/change": by("plan-change-user"),
  "GET /{locale}/account/billing/top-up": by("billing-page-user"),
  "POST /{locale}/account/billing/top-up": by("form-session", "checkout-user"),
  "POST /{locale}/account/billing/change": by("plan-change-user"),
  "POST /api/payments/confirm": by("confirm-payment-address"),
  "POST /api/payments/webhook": unlimited(
    "Providers may deliver any number. Without their signature it writes one row an hour.",
  ),

  "POST /{locale}/files": by("upload-user", "confirm-upload-user"),
  "POST /api/storage/upload": withKeys(["files"], "upload-user"),
  "POST /api/storage/confirm": withKeys(["files"], "confirm-upload-user"),
  "GET /api/storage/files": withKeys(["files", "read"], "list-user"),
  "GET /api/storage/files/{fileId}": withKeys(["files", "read"]),
  "GET /{locale}/files/{fileId}/download": unlimited(
    "It reads one row, and signs an address here.",
  ),
  "DELETE /api/storage/files/{fileId}": withKeys(["files"], "delete-file-user"),
  "POST /{locale}/files/{fileId}/delete": by("delete-file-user"),
  "GET /{locale}/demo/image-generator/download": by("zip-user"),
  "POST /{locale}/demo/image-generator/delete": by("delete-file-user"),
  "GET /{locale}/files/{fileId}/access": REDIRECT,
  "POST /{locale}/files/{fileId}/access": by("image-access-user"),
  "POST /{locale}/account/images": by("image-access-user"),
  "POST /{locale}/demo/image-generator": by("run-image-user", "draft-address"),
  "POST /api/generate-image": withKeys(["generate"], "run-image-user"),
  "POST /{locale}/demo/text-generator": by("run-text-user", "form-session", "draft-address"),
  "POST /api/generate-text": withKeys(["generate"], "run-text-user"),
  "POST /api/estimate": withKeys(["generate", "read"], "estimate-user"),
  "GET /api/runs": withKeys(["generate", "read"], "list-user"),
  "GET /api/runs/{runId}": withKeys(["generate", "read"], "run-user"),
  "GET /api/images/{generationId}/{index}": withKeys(["generate", "read"], "picture-user"),

  "GET /": REDIRECT,
  "GET /{locale}/theme": REDIRECT,
  "POST /{locale}/theme": unlimited("It sets a cookie, and writes nothing."),
  "GET /forget-pages": CONSTANT,
  "GET /robots.txt": CONSTANT,
  "GET /llms.txt": CONSTANT,
  "GET /sitemap.xml": CONSTANT,
  "GET /manifest.webmanifest": CONSTANT,
  "GET /security-policy.txt": CONSTANT,
  "GET /.well-known/security.txt": CONSTANT,
  "GET /api/openapi.json": CONSTANT,
  "GET /healthz": CONSTANT,
  "GET /readyz": unlimited("The database is asked once a second, however many ask."),
  "GET /metrics": unlimited(
    "Without its secret it reads nothing, and with it the database once a second.",
  ),
  "GET /api/cron/maintenance": CRON,
  "GET /api/cron/subscription-credits": CRON,
  "GET /api/*": NOWHERE,
  "POST /api/*": NOWHERE,
  "POST /{locale}/*": NOWHERE,
  "GET /dev/emails/{locale}/{name}": DEVELOPMENT,
};
