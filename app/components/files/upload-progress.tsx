import { useFormatter, useTranslations } from "use-intl";
import { useUploadFailure } from "~/components/files/file-messages";
import type { OngoingUpload } from "~/components/files/use-direct-uploads";
import { Button } from "~/components/ui/button";
import { useMessage } from "~/i18n/use-message";

interface UploadProgressProps {
  uploads: OngoingUpload[];
  retry: (upload: OngoingUpload) => void;
  cancel: (id: string) => void;
  dismiss: (id: string) => void;
}

/** Direct uploads that are running, failed or were cancelled. */
export function UploadProgress({ uploads, retry, cancel, dismiss }: UploadProgressProps) {
  const t = useTranslations();
  return (
    <ul aria-label={t("files.ongoing")} className="grid gap-3 empty:hidden">
      {uploads.map((upload) => (
        <li key={upload.id} className="grid max-w-form gap-2 rounded-md border border-line p-4">
          <p className="font-medium wrap-anywhere">{upload.file.name}</p>
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
  const format = useFormatter();
  return (
    <>
      <progress
        value={upload.progress}
        max={1}
        aria-label={t("files.progress", { name: upload.file.name })}
        className="w-full accent-accent"
      />
      <p className="flex items-center justify-between text-14 text-ink-2">
        {format.number(upload.progress, { style: "percent" })}
        <Button type="button" look="secondary" onClick={() => cancel(upload.id)}>
          {t("files.cancel")}
        </Button>
      </p>
    </>
  );
}

function Stopped({
  upload,
  retry,
  dismiss,
}: { upload: OngoingUpload } & Pick<UploadProgressProps, "retry" | "dismiss">) {
  const t = useTranslations();
  const failureText = useUploadFailure();
  const message = useMessage();
  const { error } = upload;
  const faults = error?.faults.map(message).join(" ");
  const reason = faults || (error && failureText(error));
  return (
    <>
      <p role="status" className="text-14 text-bad-ink">
        {reason ?? t("files.cancelled")}
      </p>
      <p className="flex gap-3">
        <Button type="button" look="secondary" onClick={() => retry(upload)}>
          {t("files.retry")}
        </Button>
        <Button type="button" look="secondary" onClick={() => dismiss(upload.id)}>
          {t("files.dismiss")}
        </Button>
      </p>
    </>
  );
}
