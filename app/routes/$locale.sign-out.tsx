import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { signOutRedirect } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { wayBackOf } from "~/utils/way-back";

/** Opening the address by hand changes nothing. */
export function loader({ params }: LoaderFunctionArgs) {
  return redirect(`/${requireLocale(params)}`);
}

/** Redirects to the address's `redirectTo`, if there is one. */
export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  return signOutRedirect(request, wayBackOf(request) ?? `/${locale}`);
}
