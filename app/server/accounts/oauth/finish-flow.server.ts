import type { TypedResponse } from "@remix-run/node";
import { localeFromAcceptLanguage } from "~/i18n/accept-language.server";
import { spendState } from "~/models/accounts/oauth-states.server";
import { getUser } from "~/server/accounts/session.server";
import type { OauthIdentity } from "~/services/auth/oauth/oauth-identity";
import type { OauthProvider } from "~/services/auth/oauth/oauth-providers";
import { finishOauth } from "~/services/auth/oauth/oauth-strategy.server";
import type { ProviderError } from "~/services/auth/oauth/provider-error";
import { securityEvent } from "~/utils/security-event.server";
import { confirmFlow, linkFlow } from "./finish-owner.server";
import { signInFlow } from "./finish-sign-in.server";
import { findFlow, forgetFlow, type OauthFlow } from "./flow-cookie.server";
import { redirectWithError } from "./return-pages.server";

interface Return {
  provider: OauthProvider;
  clientAddress: string;
}

/**
 * Handles a person's return from a provider. Nothing in the address is believed before its state is that
 * of a flow this browser began at this provider in the last ten minutes, and was never used before.
 */
export async function finishFlow(request: Request, back: Return): Promise<TypedResponse<never>> {
  const { provider } = back;
  const query = new URL(request.url).searchParams;
  const flow = await findFlow(request, { provider, state: query.get("state") });
  // A return that somebody else sent here must not end the flow that the person began.
  if (!flow) return refuseForeign(request, provider);
  const response = (await spendState(flow.state))
    ? await finishKnown(request, { flow, query, ...back })
    : refuse(flow, { error: "expired", reason: "state_reused" });
  response.headers.append("Set-Cookie", await forgetFlow(provider));
  return response;
}

async function finishKnown(
  request: Request,
  { flow, query, clientAddress }: Return & { flow: OauthFlow; query: URLSearchParams },
): Promise<TypedResponse<never>> {
  const result = await finishOauth(flow.provider, { query, handoff: flow.handoff });
  switch (result.status) {
    case "identified":
      return act(request, { flow, identity: result.identity, clientAddress });
    case "denied":
      return refuse(flow, { error: "denied", reason: "denied" });
    case "code_refused":
      return refuse(flow, { error: "expired", reason: "code_refused" });
    case "unavailable":
      return refuse(flow, { error: "unavailable", reason: result.reason });
  }
}

function act(
  request: Request,
  step: { flow: OauthFlow; identity: OauthIdentity; clientAddress: string },
): Promise<TypedResponse<never>> {
  switch (step.flow.purpose) {
    case "sign_in":
      return signInFlow(request, step);
    case "link":
      return linkFlow(request, step);
    case "confirm":
      return confirmFlow(request, step);
  }
}

function refuse(
  flow: OauthFlow,
  { error, reason }: { error: ProviderError; reason: string },
): TypedResponse<never> {
  const { provider } = flow;
  securityEvent("provider_refused", { outcome: "failure", reason, details: { provider } });
  return redirectWithError(flow, { provider, error });
}

async function refuseForeign(
  request: Request,
  provider: OauthProvider,
): Promise<TypedResponse<never>> {
  // A signed-in person would be sent on from the sign-in page, and not see the message.
  const purpose = (await getUser(request)) ? "link" : "sign_in";
  const locale = localeFromAcceptLanguage(request.headers.get("Accept-Language"));
  const details = { provider };
  securityEvent("provider_refused", { outcome: "failure", reason: "wrong_state", details });
  return redirectWithError({ purpose, locale }, { provider, error: "expired" });
}
