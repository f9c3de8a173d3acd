import {
  type FieldMetadata,
  getInputProps,
  getSelectProps,
  getTextareaProps,
} from "@conform-to/react";
import { FieldFrame } from "~/components/field-frame";

interface FieldProps {
  field: FieldMetadata<string>;
  label: string;
  hint?: string;
}

interface InputProps extends FieldProps {
  type: "email" | "password" | "text";
  autoComplete: string;
}

interface SelectProps extends FieldProps {
  options: { value: string; label: string; lang?: string }[];
}

const CONTROL = "rounded-md border border-line-strong bg-page px-3 aria-invalid:border-danger";

// conform provides `key`, and React requires it outside the spread.

/** One labelled input. */
export function Field({ type, autoComplete, ...frame }: InputProps) {
  const { key, ...input } = getInputProps(frame.field, { type });
  return (
    <FieldFrame {...frame}>
      {(description) => (
        <input
          key={key}
          {...input}
          {...description}
          autoComplete={autoComplete}
          className={`min-h-10 ${CONTROL}`}
        />
      )}
    </FieldFrame>
  );
}

/** One labelled choice from a list. */
export function SelectField({ options, ...frame }: SelectProps) {
  const { key, ...select } = getSelectProps(frame.field);
  return (
    <FieldFrame {...frame}>
      {(description) => (
        <select key={key} {...select} {...description} className={`min-h-10 ${CONTROL}`}>
          {options.map(({ value, label, lang }) => (
            <option key={value} value={value} lang={lang}>
              {label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

/** One labelled text of several lines. */
export function TextareaField({ rows, ...frame }: FieldProps & { rows: number }) {
  const { key, ...textarea } = getTextareaProps(frame.field);
  return (
    <FieldFrame {...frame}>
      {(description) => (
        <textarea
          key={key}
          {...textarea}
          {...description}
          rows={rows}
          className={`py-2 ${CONTROL}`}
        />
      )}
    </FieldFrame>
  );
}
