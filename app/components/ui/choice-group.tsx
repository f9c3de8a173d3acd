import { FieldNotes, fieldDescription } from "~/components/ui/field-notes";
import type { FormField } from "~/components/ui/server-form";

interface ChoiceGroupProps {
  field: FormField;
  legend: string;
  choices: { value: string; label: string }[];
}

/** A choice among a few options: radio buttons side by side, each as large as a button. */
export function ChoiceGroup({ field, legend, choices }: ChoiceGroupProps) {
  return (
    <fieldset className="field" aria-describedby={fieldDescription(field, false)}>
      <legend className="label">{legend}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ value, label }) => (
          <label
            key={value}
            className="inline-flex min-h-10 cursor-pointer items-center gap-2 rounded-md border border-line-strong bg-card px-3 has-checked:border-accent-ink has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              id={`${field.id}-${value}`}
              name={field.name}
              value={value}
              required={field.constraint.required}
              defaultChecked={value === field.value}
              className="size-4 accent-accent"
            />
            {label}
          </label>
        ))}
      </div>
      <FieldNotes field={field} />
    </fieldset>
  );
}
