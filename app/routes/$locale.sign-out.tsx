import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { requireLocale } from "~/server/locale-param.server";
import { signOutHeaders } from "~/server/session.server";

/** Opening the address by hand changes nothing. */
export function loader({ params }: LoaderFunctionArgs) {
  return redirect(`/${requireLocale(params)}`);
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  return redirect(`/${locale}`, { status: 303, headers: await signOutHeaders(request) });
}
