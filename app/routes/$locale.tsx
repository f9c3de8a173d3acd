import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useLocation, useRouteLoaderData } from "@remix-run/react";
import { Frame } from "~/components/frame/frame";
import { PageError } from "~/components/page-error";
import { useRenderContext } from "~/components/render-context";
import { getEnv } from "~/env.server";
import { localeFromPath } from "~/i18n/locale";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { forgetsPages } from "~/server/accounts/forget-pages.server";
import { lacksVerification } from "~/server/accounts/require-verified-email.server";
import { getUser } from "~/server/accounts/session.server";
import { isAdmin } from "~/server/admin/require-admin.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { offeredCredits } from "~/server/site/free-credits.server";
import { siteFacts } from "~/server/site/site-facts.server";
import { pageHeaders } from "~/utils/page-headers";
import { themeFromCookies } from "~/utils/theme";

/** Of its error page. */
export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await getUser(request);
  const { siteUrl } = getEnv();
  return {
    locale,
    siteOrigin: siteUrl.origin,
    user: user && (await frameUser(user)),
    theme: themeFromCookies(request.headers.get("Cookie"), siteUrl),
    forgetPages: !user && forgetsPages(request.url),
    ...siteFacts(),
  };
}

async function frameUser(user: SessionUser) {
  const { email, name, balance } = user;
  const lacking = lacksVerification(user);
  return {
    email,
    name,
    balance,
    isAdmin: await isAdmin(user),
    lacksVerification: lacking,
    freeCredits: lacking ? offeredCredits() : 0,
  };
}

export default function LocaleLayout() {
  return (
    <Frame {...useLoaderData<typeof loader>()}>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary() {
  const frame = useRouteLoaderData<typeof loader>("routes/$locale");
  const { site } = useRenderContext();
  const locale = localeFromPath(useLocation().pathname);
  // Without its data, the frame is that of a visitor.
  const strangers = { locale, user: null, theme: "system", forgetPages: false, ...site } as const;
  return (
    <Frame {...(frame ?? strangers)}>
      <PageError />
    </Frame>
  );
}
