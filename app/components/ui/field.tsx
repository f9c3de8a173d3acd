import type { ReactNode } from "react";
import { FieldFrame } from "~/components/ui/field-frame";
import { controlAttributes, type FormField } from "~/components/ui/server-form";
import { ShownOnDemand } from "~/components/ui/shown-on-demand";

interface FieldProps {
  field: FormField;
  label: string;
  hint?: string;
  /** At the end of the label's line: "Forgot it?" */
  aside?: ReactNode;
}

interface InputProps extends FieldProps {
  type?: "email" | "password" | "text";
  autoComplete?: string;
}

interface SelectProps extends FieldProps {
  options: { value: string; label: string; lang?: string }[];
}

/** One labelled input: of text that a browser fills in for nobody, unless it says otherwise. */
export function Field({ type = "text", autoComplete = "off", ...frame }: InputProps) {
  return (
    <FieldFrame {...frame}>
      {(description) => {
        const input = (
          <input
            {...controlAttributes(frame.field)}
            {...description}
            type={type}
            // A password never comes back, even if an action forgot to hide it: the page would hold it in
            // plain text, in the browser's cache and for whoever comes to the screen next.
            defaultValue={type === "password" ? undefined : frame.field.value}
            autoComplete={autoComplete}
            className="input"
          />
        );
        return type === "password" ? <ShownOnDemand>{input}</ShownOnDemand> : input;
      }}
    </FieldFrame>
  );
}

/** One labelled choice from a list. */
export function SelectField({ options, ...frame }: SelectProps) {
  const { id, name, required, ...rest } = controlAttributes(frame.field);
  return (
    <FieldFrame {...frame}>
      {(description) => (
        <select
          id={id}
          name={name}
          required={required}
          aria-invalid={rest["aria-invalid"]}
          {...description}
          defaultValue={frame.field.value}
          className="input"
        >
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

interface TextareaProps extends FieldProps {
  rows: number;
  /** An example of what to write. */
  placeholder?: string;
  readOnly?: boolean;
}

/** One labelled text of several lines. */
export function TextareaField({ rows, placeholder, readOnly, ...frame }: TextareaProps) {
  const { min: _min, max: _max, pattern: _pattern, ...attributes } = controlAttributes(frame.field);
  return (
    <FieldFrame {...frame}>
      {(description) => (
        <textarea
          {...attributes}
          {...description}
          defaultValue={frame.field.value}
          rows={rows}
          placeholder={placeholder}
          readOnly={readOnly}
          className="input"
        />
      )}
    </FieldFrame>
  );
}
