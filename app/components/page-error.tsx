import { isRouteErrorResponse, useLocation, useRouteError } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { useRenderContext } from "~/components/render-context";
import { StatePage } from "~/components/state-page";
import { WriteToUs } from "~/components/support/write-to-us";
import type { ArtName } from "~/components/ui/art";
import { ButtonLink } from "~/components/ui/button";
import { localeFromPath } from "~/i18n/locale";
import { useWait } from "~/i18n/use-wait";

/** The error page: fixed texts only, and the request's id to report. */
export function PageError() {
  const t = useTranslations();
  const error = useRouteError();
  const { requestId, retryAfter } = useRenderContext();
  const wait = useWait();
  const { pathname, search } = useLocation();
  const locale = localeFromPath(pathname);
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const { art, title, lead } = textsFor(status, t);
  const passes = status >= 500 || status === 429;
  return (
    <StatePage
      art={art}
      title={title}
      lead={status === 429 && retryAfter ? `${lead} ${wait(retryAfter)}` : lead}
    >
      {status >= 500 && requestId ? (
        <p className="small quiet">
          {t("errors.requestId")} <code suppressHydrationWarning>{requestId}</code>
        </p>
      ) : null}
      <div className="row row-fill row-center">
        {passes ? <ButtonLink href={pathname + search}>{t("errors.again")}</ButtonLink> : null}
        <ButtonLink look={passes ? "secondary" : "primary"} href={`/${locale}`}>
          {t("errors.home")}
        </ButtonLink>
      </div>
      <WriteToUs
        text={t("errors.write")}
        subject={requestId ? t("support.request", { requestId }) : ""}
      />
    </StatePage>
  );
}

interface ErrorTexts {
  art: ArtName;
  title: string;
  lead: string;
}

function textsFor(status: number, t: ReturnType<typeof useTranslations<never>>): ErrorTexts {
  if (status === 404)
    return {
      art: "not-found",
      title: t("errors.notFoundTitle"),
      lead: t("errors.notFoundLead"),
    };
  if (status === 403)
    return { art: "broken", title: t("errors.forbiddenTitle"), lead: t("errors.forbiddenLead") };
  if (status === 405)
    return { art: "broken", title: t("errors.notAllowedTitle"), lead: t("errors.notAllowedLead") };
  if (status === 429)
    return { art: "broken", title: t("errors.tooManyTitle"), lead: t("errors.tooManyLead") };
  if (status === 503)
    return {
      art: "broken",
      title: t("errors.unavailableTitle"),
      lead: t("errors.unavailableLead"),
    };
  if (status < 500)
    return { art: "broken", title: t("errors.refusedTitle"), lead: t("errors.refusedLead") };
  return { art: "broken", title: t("errors.unexpectedTitle"), lead: t("errors.unexpectedLead") };
}
