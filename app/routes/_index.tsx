import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { localeFromAcceptLanguage } from "~/i18n/accept-language.server";

export function loader({ request }: LoaderFunctionArgs) {
  const locale = localeFromAcceptLanguage(request.headers.get("Accept-Language"));
  return redirect(`/${locale}`, { headers: { Vary: "Accept-Language" } });
}
