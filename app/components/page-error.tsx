import {
  isRouteErrorResponse,
  resolvePath,
  useLocation,
  useMatches,
  useRouteError,
} from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { PageHandle } from "~/components/page-handle";
import { useRenderContext } from "~/components/render-context";
import { StatePage } from "~/components/state-page";
import { WriteToUs } from "~/components/support/write-to-us";
import type { ArtName } from "~/components/ui/art";
import { ButtonLink } from "~/components/ui/button";
import { localeFromPath } from "~/i18n/locale";
import { useWait } from "~/i18n/use-wait";
import type { ErrorCode } from "~/utils/error-codes";

/** The error page: fixed texts only, and the request's id to report. */
export function PageError() {
  const t = useTranslations();
  const error = useRouteError();
  const { requestId, retryAfter } = useRenderContext();
  const wait = useWait();
  const { pathname, search } = useLocation();
  const outcomePage = useOutcomePage();
  const locale = localeFromPath(pathname);
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const isUnknown = isRouteErrorResponse(error) && error.statusText === OUTCOME_UNKNOWN;
  const { art, title, lead } = isUnknown ? unknownTexts(t) : textsFor(status, t);
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
        {passes ? (
          <ButtonLink href={isUnknown ? outcomePage : pathname + search}>
            {isUnknown ? t("errors.look") : t("errors.again")}
          </ButtonLink>
        ) : null}
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

const OUTCOME_UNKNOWN: ErrorCode = "outcome_unknown";

/** The texts of a form whose outcome nobody knows: sending it again may do it twice. */
const unknownTexts = (t: ReturnType<typeof useTranslations<never>>): ErrorTexts => ({
  art: "broken",
  title: t("errors.unknownTitle"),
  lead: t("errors.unknownLead"),
});

/** The address of the page that shows what became of this page's form. */
function useOutcomePage(): string {
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined;
  const { pathname, search } = useLocation();
  return handle?.outcomeAt ? resolvePath(handle.outcomeAt, pathname).pathname : pathname + search;
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
