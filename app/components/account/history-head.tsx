import { useTranslations } from "use-intl";
import { ButtonLink } from "~/components/ui/button";
import { Icon } from "~/components/ui/icon";

interface HistoryHeadProps {
  id: string;
  title: string;
  /** The address of the page; its table has the same with `.csv`. */
  path: string;
}

/** The heading of a list of the account, with the list as a table to download. */
export function HistoryHead({ id, title, path }: HistoryHeadProps) {
  const t = useTranslations();
  return (
    <div className="row row-between">
      <h2 id={id} className="h24">
        {title}
      </h2>
      <ButtonLink look="secondary" size="small" href={`${path}.csv`}>
        <Icon name="download" size={16} />
        {t("credits.download")}
      </ButtonLink>
    </div>
  );
}
