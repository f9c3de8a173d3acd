import { type FieldMetadata, getInputProps } from "@conform-to/react";
import { useMessage } from "~/i18n/use-message";

interface FieldProps {
  field: FieldMetadata<string>;
  label: string;
  hint?: string;
  type: "email" | "password" | "text";
  autoComplete: string;
}

/** One labelled input: hint and error stand below it and are tied to it for screen readers. */
export function Field({ field, label, hint, type, autoComplete }: FieldProps) {
  const message = useMessage();
  const hintId = `${field.id}-hint`;
  const describedBy = [hint ? hintId : null, field.errors ? field.errorId : null]
    .filter(Boolean)
    .join(" ");
  // `key` is conform's to give, and React wants it outside the spread.
  const { key, ...input } = getInputProps(field, { type });
  return (
    <div className="grid gap-1">
      <label htmlFor={field.id} className="font-medium">
        {label}
      </label>
      <input
        key={key}
        {...input}
        autoComplete={autoComplete}
        aria-describedby={describedBy || undefined}
        className="min-h-10 rounded-md border border-line-strong bg-page px-3 aria-invalid:border-danger"
      />
      {hint ? (
        <p id={hintId} className="text-sm text-ink-muted">
          {hint}
        </p>
      ) : null}
      {field.errors ? (
        <p id={field.errorId} className="text-sm text-danger">
          {field.errors.map(message).join(" ")}
        </p>
      ) : null}
    </div>
  );
}
