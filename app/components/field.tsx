import { FieldFrame } from "~/components/field-frame";
import { controlAttributes, type FormField } from "~/components/server-form";

interface FieldProps {
  field: FormField;
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

/** One labelled input. */
export function Field({ type, autoComplete, ...frame }: InputProps) {
  return (
    <FieldFrame {...frame}>
      {(description) => (
        <input
          {...controlAttributes(frame.field)}
          {...description}
          type={type}
          defaultValue={frame.field.value}
          autoComplete={autoComplete}
          className={`min-h-10 ${CONTROL}`}
        />
      )}
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
          className={`min-h-10 ${CONTROL}`}
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

/** One labelled text of several lines. */
export function TextareaField({ rows, ...frame }: FieldProps & { rows: number }) {
  const { min: _min, max: _max, pattern: _pattern, ...attributes } = controlAttributes(frame.field);
  return (
    <FieldFrame {...frame}>
      {(description) => (
        <textarea
          {...attributes}
          {...description}
          defaultValue={frame.field.value}
          rows={rows}
          className={`py-2 ${CONTROL}`}
        />
      )}
    </FieldFrame>
  );
}
