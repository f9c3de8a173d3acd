import { useTranslations } from "use-intl";
import { ButtonLink } from "~/components/ui/button";

interface HistoryPagerProps {
  path: string;
  /** The filter in use; none for everything. */
  query: Record<string, string>;
  cursorName?: string;
  isFirstPage: boolean;
  nextCursor: string | null;
  /** The id of the list, which the links lead to; none for the top of the page. */
  listId?: string;
}

/** Links to the newest and the next older page of a list. Renders nothing for a single page. */
export function HistoryPager({
  path,
  query,
  cursorName = "cursor",
  isFirstPage,
  nextCursor,
  listId,
}: HistoryPagerProps) {
  const t = useTranslations();
  if (isFirstPage && !nextCursor) return null;
  const hrefOf = (more: Record<string, string>) => {
    const search = new URLSearchParams({ ...query, ...more }).toString();
    return (search ? `${path}?${search}` : path) + (listId ? `#${listId}` : "");
  };
  return (
    <nav className="pager" aria-label={t("credits.pages")}>
      {isFirstPage ? null : (
        <ButtonLink look="secondary" size="small" href={hrefOf({})}>
          {t("credits.newest")}
        </ButtonLink>
      )}
      {nextCursor ? (
        <ButtonLink look="secondary" size="small" href={hrefOf({ [cursorName]: nextCursor })}>
          {t("credits.older")}
        </ButtonLink>
      ) : null}
    </nav>
  );
}
