import type { LinksFunction } from "@remix-run/node";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { PRODUCT_NAME } from "~/catalog";
import { PageError } from "~/components/page-error";
import { useRenderContext } from "~/components/render-context";
import { localeFromPath } from "~/i18n/locale";
import stylesheet from "~/tailwind.css?url";
import type { Theme } from "~/utils/theme";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: stylesheet },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

/** A page that needs JavaScript in the browser declares it here; every other page ships none. */
export interface PageHandle {
  interactive?: boolean;
}

/** The part of a page's loader data that the document shows. */
interface PageData {
  /** Translated. */
  title?: string;
}

/** The part of the frame's loader data that the document shows. */
interface FrameData {
  theme?: Theme;
}

export function Layout({ children }: { children: ReactNode }) {
  const { cspNonce } = useRenderContext();
  const matches = useMatches();
  const interactive = matches.some((match) => (match.handle as PageHandle)?.interactive);
  const { title } = (matches.at(-1)?.data ?? {}) as PageData;
  const theme = matches.map(({ data }) => (data as FrameData | undefined)?.theme).find(Boolean);
  const chosen = theme === "light" || theme === "dark" ? theme : undefined;
  return (
    // The script for passkeys marks this element before React runs.
    <html
      lang={localeFromPath(useLocation().pathname)}
      data-theme={chosen}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={chosen ?? "light dark"} />
        <title>{title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME}</title>
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        {interactive ? (
          <>
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
