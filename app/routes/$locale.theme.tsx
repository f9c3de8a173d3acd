import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { getEnv } from "~/env.server";
import { requireLocale } from "~/server/locale-param.server";
import { readForm } from "~/server/read-body.server";
import { cookieName } from "~/utils/cookie-name";
import { safeRedirect } from "~/utils/safe-redirect";
import { parseTheme, THEME_COOKIE } from "~/utils/theme";

const YEAR = 365 * 24 * 60 * 60;

/** Opening the address by hand changes nothing. */
export function loader({ params }: LoaderFunctionArgs) {
  return redirect(`/${requireLocale(params)}`);
}

/** Keeps the visitor's theme in a cookie and returns to the page they came from. */
export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const form = await readForm(request, ["theme", "returnTo"]);
  const theme = parseTheme(form.get("theme"));
  const { siteUrl } = getEnv();
  const name = cookieName(THEME_COOKIE, siteUrl);
  const secure = siteUrl.protocol === "https:" ? "; Secure" : "";
  const age = theme === "system" ? 0 : YEAR;
  const cookie = `${name}=${theme}; Max-Age=${age}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  return redirect(safeRedirect(form.get("returnTo"), `/${locale}`), {
    status: 303,
    headers: { "Set-Cookie": cookie },
  });
}
