import { enforceAddressLimit } from "~/server/address-limits.server";
import { apiRoute } from "~/server/api-route.server";
import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { confirmOptions, registerOptions, signInOptions } from "~/server/passkeys.server";
import { limitRule } from "~/server/rate-limit-rules";
import { readJson } from "~/server/read-body.server";
import { requireUser } from "~/server/session.server";
import { requireFreshSession } from "~/server/step-up.server";
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
