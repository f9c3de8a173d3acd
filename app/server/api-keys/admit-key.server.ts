import { findKeyHolder, type KeyHolder } from "~/models/accounts/api-keys.server";
import { isWrongMethod, scopesAt } from "~/server/api-keys/key-routes";
import { enforceAddressLimit } from "~/server/limits/address-limits.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { AppError } from "~/utils/app-error";
import { securityEvent } from "~/utils/security-event.server";

interface KeyedRequest {
  key: string;
  method: string;
  /** As routes are found by. */
  path: string;
  /** The visitor's address and network. */
  address: string;
  network: string;
}

/**
 * Judges a request by its key alone. A right key is never refused because of wrong ones from the same network.
 * @throws AppError 401 invalid_api_key, 403 key_not_allowed, 429 rate_limited
 */
export async function admitKey({
  key,
  method,
  path,
  address,
  network,
}: KeyedRequest): Promise<KeyHolder> {
  const holder = await findKeyHolder({ key, network });
  if (!holder) {
    await enforceAddressLimit("wrong-key-address", address);
    securityEvent("api_key_refused", { outcome: "failure", reason: "unknown" });
    throw new AppError({
      code: "invalid_api_key",
      publicMessage:
        "The API key is wrong, revoked or expired. Make a new one under Account → API keys.",
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  const { userId, apiKeyId } = holder;
  await enforceRateLimit(limitRule("api-key", apiKeyId));
  const scopes = scopesAt({ method, path });
  if (scopes.some((scope) => holder.scopes.includes(scope))) return holder;
  if (isWrongMethod({ method, path })) return holder;
  const details = { apiKeyId };
  securityEvent("api_key_refused", { outcome: "failure", reason: "scope", userId, details });
  throw new AppError({
    code: "key_not_allowed",
    publicMessage:
      scopes.length === 0
        ? "This address takes no API keys: it needs a person who is signed in."
        : `This address needs a key with the scope ${scopes.join(" or ")}. Yours has ${holder.scopes.join(", ")}.`,
  });
}
