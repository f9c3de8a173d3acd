import { confirmOptions, registerOptions, signInOptions } from "~/server/accounts/passkeys.server";
import { requireUser } from "~/server/accounts/session.server";
import { requireFreshSession } from "~/server/accounts/step-up.server";
import { enforceAddressLimit } from "~/server/limits/address-limits.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { apiRoute } from "~/server/request/api-route.server";
import { readJson } from "~/server/request/read-body.server";
import { passkeyPurposeSchema } from "~/services/auth/passkey-response";

const route = apiRoute({
  async POST({ request, context }) {
    const { purpose } = await readJson(request, passkeyPurposeSchema);
    if (purpose === "sign_in") {
      await enforceAddressLimit("passkey-challenge-address", context.clientAddress);
      return signInOptions();
    }
    const user = await requireUser(request);
    if (purpose === "register") await requireFreshSession(user);
    await enforceRateLimit(limitRule("passkey-user", user.id));
    return purpose === "register" ? registerOptions(user) : confirmOptions(user);
  },
});

export const loader = route.loader;
export const action = route.action;
