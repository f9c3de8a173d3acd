import { useFormatter, useTranslations } from "use-intl";
import { Button } from "~/components/button";
import { CardTable } from "~/components/card-table";
import { Time } from "~/components/time";
import type { Locale } from "~/i18n/locale";

/** A file as the page's loader returns it. `size` is in bytes. */
interface ListedFile {
  fileId: string;
  filename: string;
  status: string;
  access: string;
  size: number;
  createdAt: string;
}

/** The user's files, each with what can be done with it. */
export function FileList({ files, locale }: { files: ListedFile[]; locale: Locale }) {
  const t = useTranslations();
  const format = useFormatter();
  if (files.length === 0) {
    return <p className="rounded-md border border-line p-6 text-ink-muted">{t("files.empty")}</p>;
  }
  const kilobytes = (size: number) =>
    format.number(size / 1000, {
      style: "unit",
      unit: "kilobyte",
      maximumFractionDigits: 1,
    });
  return (
    <CardTable
      caption={t("files.title")}
      rows={files}
      keyOf={({ fileId }) => fileId}
      columns={[
        { label: t("files.name"), kind: "title", cell: ({ filename }) => filename },
        {
          label: t("files.access"),
          cell: ({ access }) => (access === "public" ? t("files.public") : t("files.private")),
        },
        {
          label: t("files.size"),
          kind: "number",
          cell: ({ size }) => <data value={size}>{kilobytes(size)}</data>,
        },
        { label: t("files.added"), cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          label: t("files.actions"),
          kind: "actions",
          cell: (file) => <FileActions file={file} locale={locale} />,
        },
      ]}
    />
  );
}

function FileActions({ file, locale }: { file: ListedFile; locale: Locale }) {
  const t = useTranslations();
  return (
    <div className="flex flex-wrap items-center gap-4">
      {file.status === "confirmed" ? (
        <a
          href={`/${locale}/files/${file.fileId}/download`}
          className="inline-flex min-h-6 items-center text-accent underline"
          aria-label={t("files.downloadNamed", { name: file.filename })}
        >
          {t("files.download")}
        </a>
      ) : (
        <form method="post">
          <input type="hidden" name="fileId" value={file.fileId} />
          <Button look="secondary" name="intent" value="confirm">
            {t("files.finish")}
          </Button>
        </form>
      )}
      <a
        href={`/${locale}/files/${file.fileId}/delete`}
        className="inline-flex min-h-6 items-center text-danger underline"
        aria-label={t("files.deleteNamed", { name: file.filename })}
      >
        {t("files.delete")}
      </a>
    </div>
  );
}
