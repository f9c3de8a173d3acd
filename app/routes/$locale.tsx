import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { Frame } from "~/components/frame/frame";
import { PageError } from "~/components/page-error";
import { getEnv } from "~/env.server";
import { forgetsPages } from "~/server/forget-pages.server";
import { requireLocale } from "~/server/locale-param.server";
import { getUser } from "~/server/session.server";
import { pageHeaders } from "~/utils/page-headers";
import { themeFromCookies } from "~/utils/theme";

/** Of its error page. */
export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await getUser(request);
  const { storage, images, payments, siteUrl } = getEnv();
  return {
    locale,
    siteOrigin: siteUrl.origin,
    user: user ? { email: user.email, name: user.name, balance: user.balance } : null,
    theme: themeFromCookies(request.headers.get("Cookie"), siteUrl),
    forgetPages: !user && forgetsPages(request.url),
    features: {
      storage: storage.enabled,
      images: images.enabled,
      payments: payments.enabled,
    },
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
  if (!frame) return <PageError />;
  return (
    <Frame {...frame}>
      <PageError />
    </Frame>
  );
}
