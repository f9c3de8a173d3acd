import { isRouteErrorResponse, Link, useLocation, useRouteError } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { useRenderContext } from "~/components/render-context";
import { localeFromPath } from "~/i18n/locale";

/** What a failed page shows: fixed texts only, and the request's id to report. */
export function PageError() {
  const t = useTranslations();
  const error = useRouteError();
  const { requestId } = useRenderContext();
  const locale = localeFromPath(useLocation().pathname);
  const notFound = isRouteErrorResponse(error) && error.status === 404;
  return (
    <main id="main" className="mx-auto grid max-w-page gap-6 px-4 py-16">
      <h1 className="text-2xl font-semibold">
        {notFound ? t("errors.notFoundTitle") : t("errors.unexpectedTitle")}
      </h1>
      <p className="max-w-text text-lg text-ink-muted">
        {notFound ? t("errors.notFoundLead") : t("errors.unexpectedLead")}
      </p>
      {notFound || !requestId ? null : (
        <p className="text-sm text-ink-muted">
          {t("errors.requestId")} <code suppressHydrationWarning>{requestId}</code>
        </p>
      )}
      <p>
        <Link to={`/${locale}`} className="text-accent underline" reloadDocument>
          {t("errors.home")}
        </Link>
      </p>
    </main>
  );
}
