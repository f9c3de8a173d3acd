import type { LinksFunction } from "@remix-run/node";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteLoaderData,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { PRODUCT_NAME } from "~/catalog";
import { HeadMeta } from "~/components/document/head-meta";
import { StructuredData } from "~/components/document/structured-data";
import { PageError } from "~/components/page-error";
import type { PageHandle } from "~/components/page-handle";
import { PageMessages } from "~/components/page-messages";
import { PlainScript } from "~/components/plain-script";
import { useRenderContext } from "~/components/render-context";
import { localeFromPath } from "~/i18n/locale";
import stylesheet from "~/tailwind.css?url";
import type { Theme } from "~/utils/theme";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: stylesheet },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/icons/180.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

/** The part of a page's loader data that the document shows. */
interface PageData {
  /** Translated. */
  title?: string;
  /** In schema.org's terms. */
  structuredData?: object | null;
}

/** The part of the frame's loader data that the document needs. */
interface FrameData {
  user: object | null;
  theme: Theme;
  siteOrigin: string;
}

export function Layout({ children }: { children: ReactNode }) {
  const { cspNonce } = useRenderContext();
  const matches = useMatches();
  const handles = matches.map(({ handle }) => handle as PageHandle | undefined);
  const interactive = handles.find((handle) => handle?.interactive)?.interactive;
  const frame = useRouteLoaderData<FrameData>("routes/$locale");
  const { title, structuredData } = (matches.at(-1)?.data ?? {}) as PageData;
  const theme = frame?.theme === "system" ? undefined : frame?.theme;
  return (
    <html lang={localeFromPath(useLocation().pathname)} data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme ?? "light dark"} />
        <title>{title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME}</title>
        <HeadMeta title={title} siteOrigin={frame?.siteOrigin} />
        {structuredData ? <StructuredData data={structuredData} /> : null}
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        {frame?.user ? <PlainScript src="/page.js" /> : null}
        {interactive ? (
          <>
            <PageMessages parts={interactive} />
            <ScrollRestoration nonce={cspNonce} />
            <Scripts nonce={cspNonce} />
          </>
        ) : null}
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary() {
  return <PageError />;
}
