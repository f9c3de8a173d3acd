import { useTranslations } from "use-intl";
import { type ListedFile, typeName } from "~/components/files/listed-file";
import { useFileSize } from "~/components/files/use-file-size";
import { AccessForm } from "~/components/generator/access-form";
import { Time } from "~/components/time";
import { Badge } from "~/components/ui/badge";
import { Button, ButtonLink } from "~/components/ui/button";
import { CopyButton } from "~/components/ui/copy-button";
import { Icon } from "~/components/ui/icon";
import type { Locale } from "~/i18n/locale";

interface FileListProps {
  files: ListedFile[];
  locale: Locale;
  view: "grid" | "list";
}

/** The user's files as tiles or lines, each with what can be done with it. */
export function FileList({ files, locale, view }: FileListProps) {
  return (
    <ul className={view === "list" ? "file-tiles file-lines" : "file-tiles"}>
      {files.map((file) => (
        <FileItem key={file.fileId} file={file} locale={locale} />
      ))}
    </ul>
  );
}

function FileItem({ file, locale }: { file: ListedFile; locale: Locale }) {
  const t = useTranslations();
  const sizeOf = useFileSize();
  const { fileId, filename, contentType, access, status, createdAt } = file;
  const isStored = status === "confirmed";
  const address = `/${locale}/files/${fileId}/download`;
  return (
    <li className="file">
      <span className="pic file-picture">
        <FilePicture file={file} />
      </span>
      <div className="file-name">
        {isStored ? (
          <a href={address} title={filename}>
            {filename}
          </a>
        ) : (
          <b title={filename}>{filename}</b>
        )}
        {file.prompt ? (
          <span className="small file-prompt" title={file.prompt}>
            {file.prompt}
          </span>
        ) : null}
        <span className="tiny quiet num">
          {typeName(contentType)} · <data value={file.size}>{sizeOf(file.size)}</data> ·{" "}
          <Time at={createdAt} />
        </span>
      </div>
      {isStored ? (
        <AccessBadge access={access} />
      ) : (
        <Badge tone="warn">{t("files.unfinished")}</Badge>
      )}
      <FileActions file={file} address={address} locale={locale} />
    </li>
  );
}

function AccessBadge({ access }: { access: string }) {
  const t = useTranslations();
  return access === "public" ? (
    <Badge tone="accent" icon="globe">
      {t("files.public")}
    </Badge>
  ) : (
    <Badge icon="lock">{t("files.private")}</Badge>
  );
}

function FilePicture({ file: { thumbnail, contentType, prompt } }: { file: ListedFile }) {
  if (thumbnail)
    return (
      <img
        src={thumbnail}
        width={320}
        height={240}
        alt={prompt?.slice(0, 200) ?? ""}
        loading="lazy"
        decoding="async"
      />
    );
  return (
    <span className="file-sheet">
      <b>{typeName(contentType)}</b>
    </span>
  );
}

function FileActions({
  file,
  address,
  locale,
}: {
  file: ListedFile;
  address: string;
  locale: Locale;
}) {
  const t = useTranslations();
  const { fileId, filename: name, status, publicUrl } = file;
  return (
    <div className="file-actions">
      {status === "confirmed" ? (
        <>
          {publicUrl ? (
            <CopyButton
              text={publicUrl}
              copied={t("files.copied")}
              label={t("files.copyNamed", { name })}
            >
              <Icon name="link" size={16} />
              {t("files.copy")}
            </CopyButton>
          ) : null}
          <ButtonLink
            look="secondary"
            size="small"
            href={`${address}?save`}
            aria-label={t("files.downloadNamed", { name })}
          >
            <Icon name="download" size={16} />
            {publicUrl ? null : t("files.download")}
          </ButtonLink>
          {file.isMovable ? (
            <AccessForm
              fileId={fileId}
              access={file.access}
              wantedAccess={file.wantedAccess}
              name={name}
              generationId={null}
              locale={locale}
            />
          ) : null}
        </>
      ) : (
        <form method="post">
          <input type="hidden" name="fileId" value={fileId} />
          <Button
            look="secondary"
            size="small"
            name="intent"
            value="confirm"
            aria-label={t("files.finishNamed", { name })}
          >
            {t("files.finish")}
          </Button>
        </form>
      )}
      <a
        className="btn btn-icon file-delete"
        href={`/${locale}/files/${fileId}/delete`}
        aria-label={t("files.deleteNamed", { name })}
        title={t("files.delete")}
      >
        <Icon name="trash" />
      </a>
    </div>
  );
}
