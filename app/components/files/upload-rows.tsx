import { useTranslations } from "use-intl";
import { useUploadFailure } from "~/components/files/file-messages";
import type { OngoingUpload } from "~/components/files/use-direct-uploads";
import { useFileSize } from "~/components/files/use-file-size";
import { Button } from "~/components/ui/button";
import { Icon } from "~/components/ui/icon";
import { useMessage } from "~/i18n/use-message";

interface UploadRowsProps {
  uploads: OngoingUpload[];
  retry: (upload: OngoingUpload) => void;
  cancel: (id: string) => void;
  dismiss: (id: string) => void;
}

/** Direct uploads that are running, failed or were stopped. */
export function UploadRows({ uploads, retry, cancel, dismiss }: UploadRowsProps) {
  const t = useTranslations();
  if (uploads.length === 0) return null;
  return (
    <ul aria-label={t("files.ongoing")} className="card card-flush list uploads">
      {uploads.map((upload) => (
        <li key={upload.id}>
          {upload.phase === "uploading" ? (
            <Running upload={upload} cancel={cancel} />
          ) : (
            <Stopped upload={upload} retry={retry} dismiss={dismiss} />
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
  dismiss,
}: { upload: OngoingUpload } & Pick<UploadRowsProps, "retry" | "dismiss">) {
  const t = useTranslations();
  const failureText = useUploadFailure();
  const message = useMessage();
  const { error, file } = upload;
  const faults = error?.faults.map(message).join(" ");
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
      <Button type="button" look="secondary" size="small" onClick={() => retry(upload)}>
        {t("files.retry")}
      </Button>
      <IconButton
        label={t("files.dismiss", { name: file.name })}
        onClick={() => dismiss(upload.id)}
      />
    </>
  );
}

function IconButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className="btn btn-icon" aria-label={label} onClick={onClick}>
      <Icon name="x" />
    </button>
  );
}
