import type { LoaderFunctionArgs } from "@remix-run/node";
import { finishFlow } from "~/server/accounts/oauth/finish-flow.server";
import { isOauthProvider } from "~/services/auth/oauth/oauth-providers";

/** The address that a provider sends people back to, as it is registered there. */
export function loader({ request, params, context }: LoaderFunctionArgs) {
  const { provider } = params;
  if (!isOauthProvider(provider)) throw new Response(null, { status: 404 });
  return finishFlow(request, { provider, clientAddress: context.clientAddress });
}
