import { isRouteErrorResponse, useLocation, useRouteError } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Page } from "~/components/page";
import { useRenderContext } from "~/components/render-context";
import { localeFromPath } from "~/i18n/locale";

/** The error page: fixed texts only, and the request's id to report. */
export function PageError() {
  const t = useTranslations();
  const error = useRouteError();
  const { requestId } = useRenderContext();
  const locale = localeFromPath(useLocation().pathname);
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const { title, lead } = textsFor(status, t);
  return (
    <Page title={title} lead={lead}>
      {status < 500 || !requestId ? null : (
        <p className="text-sm text-ink-muted">
          {t("errors.requestId")} <code suppressHydrationWarning>{requestId}</code>
        </p>
      )}
      <p>
        <a href={`/${locale}`} className="text-accent underline">
          {t("errors.home")}
        </a>
      </p>
    </Page>
  );
}

function textsFor(status: number, t: ReturnType<typeof useTranslations<never>>) {
  if (status === 404) return { title: t("errors.notFoundTitle"), lead: t("errors.notFoundLead") };
  if (status < 500) return { title: t("errors.refusedTitle"), lead: t("errors.refusedLead") };
  return { title: t("errors.unexpectedTitle"), lead: t("errors.unexpectedLead") };
}
