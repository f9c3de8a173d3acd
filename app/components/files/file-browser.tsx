import { useTranslations } from "use-intl";
import { FileList } from "~/components/files/file-list";
import type { ListedFile } from "~/components/files/listed-file";
import { Chips } from "~/components/ui/chips";
import { EmptyState } from "~/components/ui/empty-state";
import { Icon } from "~/components/ui/icon";
import { Pager } from "~/components/ui/pager";
import type { Locale } from "~/i18n/locale";

type Kind = "all" | "images" | "documents" | "public";
type View = "grid" | "list";

interface FileBrowserProps {
  locale: Locale;
  files: ListedFile[];
  counts: Record<Kind, number>;
  kind: Kind;
  view: View;
  page: number;
  pages: number;
}

/** The address of a kind, view and page; what is usual is left out. */
function addressOf({ kind, view, page = 1 }: { kind: Kind; view: View; page?: number }): string {
  const search = new URLSearchParams({
    ...(kind === "all" ? {} : { kind }),
    ...(view === "grid" ? {} : { view }),
    ...(page === 1 ? {} : { page: String(page) }),
  });
  return `?${search}`;
}

/** The user's files, narrowed to a kind, as tiles or lines. All of it is links. */
export function FileBrowser(props: FileBrowserProps) {
  const t = useTranslations();
  const { files, counts, kind, view, page, pages, locale } = props;
  if (counts.all === 0)
    return (
      <section className="section files" aria-label={t("files.yours")}>
        <EmptyState art="files" title={t("files.emptyTitle")}>
          {t("files.empty")}
        </EmptyState>
      </section>
    );
  const kinds: [Kind, string][] = [
    ["all", t("files.all")],
    ["images", t("files.images")],
    ["documents", t("files.documents")],
    ["public", t("files.public")],
  ];
  return (
    <section className="section files" aria-labelledby="files-title">
      <h2 id="files-title" className="sr-only">
        {t("files.yours")}
      </h2>
      <div className="row row-between files-bar">
        <Chips
          label={t("files.show")}
          chips={kinds.map(([name, text]) => ({
            href: addressOf({ kind: name, view }),
            text,
            count: String(counts[name]),
            isHere: name === kind,
          }))}
        />
        <ViewChoice kind={kind} view={view} />
      </div>
      {files.length === 0 ? (
        <p className="muted">{t("files.emptyKind")}</p>
      ) : (
        <FileList files={files} locale={locale} view={view} />
      )}
      <Pager
        label={t("files.pages")}
        page={page}
        pages={pages}
        hrefOf={(number) => addressOf({ kind, view, page: number })}
        texts={{
          newer: t("files.newer"),
          older: t("files.older"),
          place: (values) => t("files.place", values),
        }}
      />
    </section>
  );
}

function ViewChoice({ kind, view }: { kind: Kind; view: View }) {
  const t = useTranslations();
  const views: [View, string][] = [
    ["grid", t("files.grid")],
    ["list", t("files.list")],
  ];
  return (
    <nav className="segmented segmented-small" aria-label={t("files.view")}>
      {views.map(([name, text]) => (
        <a
          key={name}
          href={addressOf({ kind, view: name })}
          aria-current={name === view ? "true" : undefined}
        >
          <Icon name={name} size={16} />
          {text}
        </a>
      ))}
    </nav>
  );
}
