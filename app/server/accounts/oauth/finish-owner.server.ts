import { redirect, type TypedResponse } from "@remix-run/node";
import { findLinkedUser } from "~/models/accounts/oauth-accounts.server";
import { linkProvider } from "~/models/accounts/oauth-links.server";
import { listReauthenticationMethods } from "~/models/accounts/reauthentication-methods.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { confirmIdentity } from "~/server/accounts/confirm-identity.server";
import { getUser } from "~/server/accounts/session.server";
import type { OauthIdentity } from "~/services/auth/oauth/oauth-identity";
import { securityEvent } from "~/utils/security-event.server";
import type { OauthFlow } from "./flow-cookie.server";
import { redirectWithError } from "./return-pages.server";

interface OwnerStep {
  flow: OauthFlow;
  identity: OauthIdentity;
}

/** Links the provider's account to the session that asked for it. */
export async function linkFlow(
  request: Request,
  { flow, identity }: OwnerStep,
): Promise<TypedResponse<never>> {
  const { provider, locale } = flow;
  const user = await findBeginner(request, flow);
  if (!user) return refuseOther(flow);
  const { id: userId, sessionId } = user;
  const result = await linkProvider({ userId, sessionId, identity });
  const details = { provider };
  if (result.status !== "linked") {
    const reason = result.status;
    securityEvent("provider_linked", { outcome: "failure", userId, sessionId, reason, details });
    return redirectWithError(flow, { provider, error: result.status });
  }
  if (result.changed)
    securityEvent("provider_linked", { outcome: "success", userId, sessionId, details });
  return redirect(`/${locale}/account/security?done=linked`, 303);
}

/**
 * Notes that the session's person proved who they are at a provider that is linked to their account. Not
 * for an account with a password or an app: a browser that is signed in at the provider may be anybody's
 * who sits at it, and no provider here asks again for its password.
 */
export async function confirmFlow(
  request: Request,
  { flow, identity }: OwnerStep,
): Promise<TypedResponse<never>> {
  const { provider, locale, redirectTo } = flow;
  const user = await findBeginner(request, flow);
  if (!user) return refuseOther(flow);
  const { id: userId, sessionId } = user;
  const details = { way: provider };
  const reason = await findFault({ userId, identity });
  if (reason) {
    securityEvent("identity_check", { outcome: "failure", userId, sessionId, reason, details });
    return redirectWithError(flow, { provider, error: reason });
  }
  return confirmIdentity(user, { way: provider, locale, redirectTo: redirectTo ?? undefined });
}

/** Why the provider's account does not confirm the user; null if it does. */
async function findFault({ userId, identity }: { userId: string; identity: OauthIdentity }) {
  if (!(await listReauthenticationMethods(userId)).elsewhere) return "has_password";
  return (await findLinkedUser(identity)) === userId ? null : "not_linked";
}

/** The signed-in user, if theirs is the session that began the flow. */
async function findBeginner(request: Request, flow: OauthFlow): Promise<SessionUser | null> {
  const user = await getUser(request);
  return user && user.sessionId === flow.sessionId ? user : null;
}

function refuseOther(flow: OauthFlow): TypedResponse<never> {
  const { provider } = flow;
  const details = { provider };
  securityEvent("provider_refused", { outcome: "failure", reason: "other_session", details });
  return redirectWithError(flow, { provider, error: "expired" });
}
