import { useParams } from "@remix-run/react";
import { type FormEvent, useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "~/components/button";
import { FieldFrame } from "~/components/field-frame";
import { UploadProgress } from "~/components/files/upload-progress";
import { useDirectUploads } from "~/components/files/use-direct-uploads";
import { CONTENT_TYPES } from "~/services/storage/content-types";

interface UploadFormProps {
  faults: string[] | undefined;
  canPublish: boolean;
}

/**
 * Sends a chosen file: as a plain multipart form without JavaScript, straight to the store with it.
 * `faults` are message keys about the file of a plain form.
 */
export function UploadForm({ faults, canPublish }: UploadFormProps) {
  const t = useTranslations();
  const { locale } = useParams();
  const uploads = useDirectUploads();
  // Only direct uploads send several files at once: a plain form carries one.
  const [hydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const files = form.getAll("file").filter((entry) => entry instanceof File);
    uploads.start(files, form.get("access") === "public" ? "public" : "private");
    event.currentTarget.reset();
  };

  return (
    <section className="grid gap-6" aria-labelledby="upload-heading">
      <form
        method="post"
        encType="multipart/form-data"
        onSubmit={submit}
        className="grid max-w-form gap-5"
      >
        <h2 id="upload-heading" className="text-lg font-semibold">
          {t("files.uploadTitle")}
        </h2>
        <FieldFrame
          field={{ id: "file", errorId: "file-error", errors: faults }}
          label={t("files.choose")}
          hint={t("files.hint")}
        >
          {(description) => (
            <input
              id="file"
              name="file"
              type="file"
              required
              multiple={hydrated}
              accept={CONTENT_TYPES.join(",")}
              {...description}
              aria-invalid={faults ? true : undefined}
              className="min-h-10 rounded-md border border-line-strong p-1 file:mr-3 file:min-h-8 file:rounded-md file:border-0 file:bg-surface file:px-3 file:text-ink aria-invalid:border-danger"
            />
          )}
        </FieldFrame>
        <fieldset className="grid gap-2">
          <legend className="mb-1 font-medium">{t("files.access")}</legend>
          <AccessChoice value="private" label={t("files.private")} hint={t("files.privateHint")} />
          <AccessChoice
            value="public"
            label={t("files.public")}
            hint={canPublish ? t("files.publicHint") : t("files.publicUnverified")}
            disabled={!canPublish}
          />
          {canPublish ? null : (
            <a href={`/${locale}/account/profile`} className="text-accent underline">
              {t("files.verify")}
            </a>
          )}
        </fieldset>
        <Button>{t("files.upload")}</Button>
      </form>
      <UploadProgress {...uploads} />
    </section>
  );
}

interface AccessChoiceProps {
  value: "private" | "public";
  label: string;
  hint: string;
  disabled?: boolean;
}

function AccessChoice(props: AccessChoiceProps) {
  const id = `access-${props.value}`;
  return (
    <div className="flex gap-3">
      <input
        id={id}
        type="radio"
        name="access"
        value={props.value}
        defaultChecked={props.value === "private"}
        disabled={props.disabled}
        aria-describedby={`${id}-hint`}
        className="mt-1 size-4 accent-accent"
      />
      <div>
        <label htmlFor={id}>{props.label}</label>
        <p id={`${id}-hint`} className="text-sm text-ink-muted">
          {props.hint}
        </p>
      </div>
    </div>
  );
}
