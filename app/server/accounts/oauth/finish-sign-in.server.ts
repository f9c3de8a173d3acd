import type { TypedResponse } from "@remix-run/node";
import {
  findLinkedUser,
  type ProviderSignIn,
  signInByProvider,
} from "~/models/accounts/oauth-accounts.server";
import { completeSignIn } from "~/server/accounts/complete-sign-in.server";
import { enforceAddressLimit } from "~/server/limits/address-limits.server";
import type { OauthIdentity } from "~/services/auth/oauth/oauth-identity";
import type { ProviderError } from "~/services/auth/oauth/provider-error";
import { AppError } from "~/utils/app-error";
import type { ErrorCode } from "~/utils/error-codes";
import { securityEvent } from "~/utils/security-event.server";
import type { OauthFlow } from "./flow-cookie.server";
import { redirectWithError } from "./return-pages.server";

interface SignInStep {
  flow: OauthFlow;
  identity: OauthIdentity;
  clientAddress: string;
}

/** Maps an error on the way to a session to the page's message. */
const SIGN_IN_ERRORS: Partial<Record<ErrorCode, ProviderError>> = {
  account_disabled: "account_disabled",
  rate_limited: "rate_limited",
  // The account was deleted between the provider's response and the session.
  invalid_credentials: "expired",
};

/** Signs the person in whom the provider named, in a new account if nobody has their address. */
export async function signInFlow(
  request: Request,
  { flow, identity, clientAddress }: SignInStep,
): Promise<TypedResponse<never>> {
  const { provider, locale, redirectTo } = flow;
  try {
    const known = await findLinkedUser(identity);
    if (!known) await enforceAddressLimit("sign-up-address", clientAddress);
    const result = await signInByProvider({ identity, locale });
    logOutcome(result, identity);
    if (!("userId" in result)) return redirectWithError(flow, { provider, error: result.status });
    const proven = { userId: result.userId, way: provider };
    return await completeSignIn(request, proven, { locale, redirectTo });
  } catch (error) {
    const shown = error instanceof AppError ? SIGN_IN_ERRORS[error.code] : undefined;
    if (!shown) throw error;
    return redirectWithError(flow, { provider, error: shown });
  }
}

function logOutcome(result: ProviderSignIn, { provider, verifiedEmail }: OauthIdentity): void {
  const account = verifiedEmail ? { email: verifiedEmail } : {};
  const details = { way: provider };
  switch (result.status) {
    case "known":
      return;
    case "created":
      securityEvent("sign_up", {
        outcome: "success",
        userId: result.userId,
        ...account,
        details,
      });
      return;
    case "claimed":
      securityEvent("account_claimed", {
        outcome: "success",
        userId: result.userId,
        ...account,
        details,
      });
      return;
    default:
      securityEvent("sign_up", {
        outcome: "failure",
        ...account,
        reason: result.status,
        details,
      });
  }
}
