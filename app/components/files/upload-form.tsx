import { useParams } from "@remix-run/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { UploadRows } from "~/components/files/upload-rows";
import { useDirectUploads } from "~/components/files/use-direct-uploads";
import { Button } from "~/components/ui/button";
import { FieldNotes } from "~/components/ui/field-notes";
import { Icon, type IconName } from "~/components/ui/icon";
import { CONTENT_TYPES } from "~/services/storage/content-types";

interface UploadFormProps {
  faults: string[] | undefined;
  canPublish: boolean;
}

/**
 * Sends chosen files: one as a plain multipart form without JavaScript, several straight to the store
 * with it. The input fills the drop zone, so that the browser itself takes what is dropped. `faults`
 * are message keys about the file of a plain form.
 */
export function UploadForm({ faults, canPublish }: UploadFormProps) {
  const t = useTranslations();
  const { locale } = useParams();
  const uploads = useDirectUploads();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<string[]>([]);
  // Only direct uploads send several files at once: a plain form carries one.
  const [hydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const files = form.getAll("file").filter((entry) => entry instanceof File);
    uploads.start(files, form.get("access") === "public" ? "public" : "private");
    event.currentTarget.reset();
    setChosen([]);
  };

  return (
    <section aria-labelledby="upload-title">
      <h2 id="upload-title" className="sr-only">
        {t("files.uploadTitle")}
      </h2>
      <form method="post" encType="multipart/form-data" onSubmit={submit} className="drop">
        <div className="drop-zone">
          <span className="drop-icon">
            <Icon name="upload" size={24} />
          </span>
          <div className="min-w-0">
            <label className="drop-label" htmlFor="file">
              {t("files.choose")}
            </label>
            <p className="small muted" id="file-hint">
              {t("files.hint")}
            </p>
            <p className="small wrap-anywhere" role="status">
              {chosen.length > 0
                ? t("files.chosen", { count: chosen.length, names: chosen.join(", ") })
                : ""}
            </p>
          </div>
          <input
            id="file"
            ref={input}
            name="file"
            type="file"
            required
            multiple={hydrated}
            accept={CONTENT_TYPES.join(",")}
            aria-describedby={faults ? "file-hint file-error" : "file-hint"}
            aria-invalid={faults ? true : undefined}
            onChange={({ target }) => setChosen(Array.from(target.files ?? [], ({ name }) => name))}
          />
        </div>
        {faults ? (
          <div className="drop-fault">
            <FieldNotes field={{ id: "file", errorId: "file-error", errors: faults }} />
          </div>
        ) : null}
        <div className="drop-end">
          <fieldset className="segmented segmented-small">
            <legend className="sr-only">{t("files.access")}</legend>
            <AccessChoice value="private" icon="lock" text={t("files.private")} />
            <AccessChoice
              value="public"
              icon="globe"
              text={t("files.public")}
              disabled={!canPublish}
            />
          </fieldset>
          <p className="small muted" id="access-hint">
            {t("files.accessHint")}
            {canPublish ? null : (
              <>
                {" "}
                {t("files.publicUnverified")}{" "}
                <a href={`/${locale}/account/profile`}>{t("files.verify")}</a>
              </>
            )}
          </p>
          <Button>{t("files.upload")}</Button>
        </div>
      </form>
      <UploadRows {...uploads} chooseAnother={() => input.current?.click()} />
    </section>
  );
}

interface AccessChoiceProps {
  value: "private" | "public";
  icon: IconName;
  text: string;
  disabled?: boolean;
}

function AccessChoice({ value, icon, text, disabled = false }: AccessChoiceProps) {
  return (
    <label>
      <input
        type="radio"
        name="access"
        value={value}
        defaultChecked={value === "private"}
        disabled={disabled}
        aria-describedby="access-hint"
      />
      <Icon name={icon} size={16} />
      {text}
    </label>
  );
}
