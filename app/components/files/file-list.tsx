import { Form, Link } from "@remix-run/react";
import { useFormatter, useTranslations } from "use-intl";
import { Button } from "~/components/button";
import { CardLabel, CELL, HEAD } from "~/components/card-table";
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

/** The user's files: a table on wide screens, cards on narrow ones. */
export function FileList({ files, locale }: { files: ListedFile[]; locale: Locale }) {
  const t = useTranslations();
  if (files.length === 0) {
    return <p className="rounded-md border border-line p-6 text-ink-muted">{t("files.empty")}</p>;
  }
  return (
    <table className="w-full text-left max-sm:block">
      <caption className="sr-only">{t("files.title")}</caption>
      <thead className="border-b border-line text-sm text-ink-muted max-sm:sr-only">
        <tr>
          <th scope="col" className={HEAD}>
            {t("files.name")}
          </th>
          <th scope="col" className={HEAD}>
            {t("files.access")}
          </th>
          <th scope="col" className={`${HEAD} text-right`}>
            {t("files.size")}
          </th>
          <th scope="col" className={HEAD}>
            {t("files.added")}
          </th>
          <th scope="col" className={HEAD}>
            {t("files.actions")}
          </th>
        </tr>
      </thead>
      <tbody className="max-sm:grid max-sm:gap-4">
        {files.map((file) => (
          <FileRow key={file.fileId} file={file} locale={locale} />
        ))}
      </tbody>
    </table>
  );
}

function FileRow({ file, locale }: { file: ListedFile; locale: Locale }) {
  const t = useTranslations();
  const format = useFormatter();
  return (
    <tr className="border-b border-line max-sm:block max-sm:rounded-md max-sm:border max-sm:p-4">
      <th scope="row" className="py-2 pr-4 font-medium wrap-anywhere max-sm:block">
        {file.filename}
      </th>
      <td className={CELL}>
        <CardLabel>{t("files.access")}</CardLabel>
        {file.access === "public" ? t("files.public") : t("files.private")}
      </td>
      <td className={`${CELL} text-right`}>
        <CardLabel>{t("files.size")}</CardLabel>
        <data value={file.size}>
          {format.number(file.size / 1000, {
            style: "unit",
            unit: "kilobyte",
            maximumFractionDigits: 1,
          })}
        </data>
      </td>
      <td className={CELL}>
        <CardLabel>{t("files.added")}</CardLabel>
        <time dateTime={file.createdAt}>
          {format.dateTime(new Date(file.createdAt), { dateStyle: "medium", timeStyle: "short" })}
        </time>
      </td>
      <td className="py-2">
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
            <Form method="post">
              <input type="hidden" name="fileId" value={file.fileId} />
              <Button look="secondary" name="intent" value="confirm">
                {t("files.finish")}
              </Button>
            </Form>
          )}
          <Link
            to={`/${locale}/files/${file.fileId}/delete`}
            className="inline-flex min-h-6 items-center text-danger underline"
            aria-label={t("files.deleteNamed", { name: file.filename })}
          >
            {t("files.delete")}
          </Link>
        </div>
      </td>
    </tr>
  );
}
