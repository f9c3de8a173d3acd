import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { requireLocale } from "~/server/locale-param.server";
import { startFlow, startSchema } from "~/server/oauth/start-flow.server";
import { readForm } from "~/server/read-body.server";
import { isOauthProvider } from "~/services/auth/oauth/oauth-providers";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

/** With it, Remix shows a refusal as a page, too. */
export { PageError as ErrorBoundary } from "~/components/page-error";

/** Only the button's POST leads to the provider; a reload of the address finds the buttons again. */
export function loader({ params }: LoaderFunctionArgs) {
  return redirect(`/${requireLocale(params)}/sign-in`);
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const { provider } = params;
  if (!isOauthProvider(provider)) throw new Response(null, { status: 404 });
  const form = await readForm(request, Object.keys(startSchema.shape));
  const start = startSchema.parse(Object.fromEntries(form));
  const { clientAddress } = context;
  return startFlow(request, { provider, locale, clientAddress, ...start });
}
