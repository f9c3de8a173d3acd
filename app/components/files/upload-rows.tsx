import { useParams } from "@remix-run/react";
import { useFormatter, useTranslations } from "use-intl";
import { isSignedOut, needsAnotherFile } from "~/components/files/direct-upload";
import { useUploadFailure } from "~/components/files/file-messages";
import type { OngoingUpload } from "~/components/files/use-direct-uploads";
import { useFileSize } from "~/components/files/use-file-size";
import { Button, ButtonLink } from "~/components/ui/button";
import { Icon } from "~/components/ui/icon";
import { useMessage } from "~/i18n/use-message";
import { MAX_FILE_BYTES, MAX_SVG_BYTES } from "~/services/storage/content-types";
import { megabytes } from "~/services/storage/megabytes";

interface UploadRowsProps {
  uploads: OngoingUpload[];
  retry: (upload: OngoingUpload) => void;
  /** Opens the choice of files. */
  chooseAnother: () => void;
  cancel: (id: string) => void;
  dismiss: (id: string) => void;
}

/** Direct uploads that are running, failed or were stopped. */
export function UploadRows({ uploads, retry, chooseAnother, cancel, dismiss }: UploadRowsProps) {
  const t = useTranslations();
  if (uploads.length === 0) return null;
  return (
    <ul aria-label={t("files.ongoing")} className="card card-flush list uploads">
      {uploads.map((upload) => (
        <li key={upload.id}>
          {upload.phase === "uploading" ? (
            <Running upload={upload} cancel={cancel} />
          ) : (
            <Stopped {...{ upload, retry, chooseAnother, dismiss }} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Running({ upload, cancel }: { upload: OngoingUpload; cancel: (id: string) => void }) {
  const t = useTranslations();
  const sizeOf = useFileSize();
  const { name, size } = upload.file;
  return (
    <>
      <div className="what">
        <span className="thumb thumb-icon">
          <Icon name="upload" />
        </span>
        <div>
          <b>{name}</b>
          <small className="num">
            {t("files.sent", { sent: sizeOf(upload.progress * size), size: sizeOf(size) })}
          </small>
        </div>
      </div>
      <progress value={upload.progress} max={1} aria-label={t("files.progress", { name })} />
      <IconButton label={t("files.cancel", { name })} onClick={() => cancel(upload.id)} />
    </>
  );
}

function Stopped({
  upload,
  retry,
  chooseAnother,
  dismiss,
}: { upload: OngoingUpload } & Pick<UploadRowsProps, "retry" | "chooseAnother" | "dismiss">) {
  const t = useTranslations();
  const failureText = useUploadFailure();
  const message = useMessage();
  const { locale } = useParams();
  const { error, file } = upload;
  const tooLarge = useTooLarge();
  const faults = error?.faults
    .map((fault) => tooLarge(fault, file.size) ?? message(fault))
    .join(" ");
  const reason = faults || (error && failureText(error));
  return (
    <>
      <div className="what">
        <span className="thumb thumb-icon">
          <Icon name={reason ? "alert" : "x"} />
        </span>
        <div>
          <b>{file.name}</b>
          <small role="status" className={reason ? "upload-fault" : undefined}>
            {reason ?? t("files.cancelled")}
          </small>
        </div>
      </div>
      {needsAnotherFile(error) ? (
        <Button
          type="button"
          look="secondary"
          size="small"
          onClick={() => {
            dismiss(upload.id);
            chooseAnother();
          }}
        >
          {t("files.chooseAnother")}
        </Button>
      ) : (
        <Button type="button" look="secondary" size="small" onClick={() => retry(upload)}>
          {t("files.retry")}
        </Button>
      )}
      {isSignedOut(error) ? (
        // In another tab: this one has the file.
        <ButtonLink
          size="small"
          target="_blank"
          href={`/${locale}/sign-in?redirectTo=/${locale}/files`}
        >
          {t("nav.signIn")}
        </ButtonLink>
      ) : null}
      <IconButton
        label={t("files.dismiss", { name: file.name })}
        onClick={() => dismiss(upload.id)}
      />
    </>
  );
}

/** Says how large a file is and how large it may be; null for any other fault. */
function useTooLarge(): (fault: string, bytes: number) => string | null {
  const t = useTranslations();
  const format = useFormatter();
  const inMegabytes = (bytes: number) =>
    format.number(megabytes(bytes), { style: "unit", unit: "megabyte" });
  const limits = new Map<string, number>([
    ["validation.fileTooLarge", MAX_FILE_BYTES],
    ["validation.svgTooLarge", MAX_SVG_BYTES],
  ]);
  return (fault, bytes) => {
    const limit = limits.get(fault);
    if (limit === undefined) return null;
    return t("files.tooLarge", { size: inMegabytes(bytes), limit: inMegabytes(limit) });
  };
}

function IconButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className="btn btn-icon" aria-label={label} onClick={onClick}>
      <Icon name="x" />
    </button>
  );
}
