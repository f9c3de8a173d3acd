import { type FieldMetadata, getInputProps } from "@conform-to/react";
import { FieldNotes, fieldDescription } from "~/components/field-notes";

interface FieldProps {
  field: FieldMetadata<string>;
  label: string;
  hint?: string;
  type: "email" | "password" | "text";
  autoComplete: string;
}

/** One labelled input. Its hint and error stand below it, linked to it for screen readers. */
export function Field({ field, label, hint, type, autoComplete }: FieldProps) {
  // conform provides `key`, and React requires it outside the spread.
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
        aria-describedby={fieldDescription(field, hint !== undefined)}
        className="min-h-10 rounded-md border border-line-strong bg-page px-3 aria-invalid:border-danger"
      />
      <FieldNotes field={field} {...(hint ? { hint } : {})} />
    </div>
  );
}
