import { FieldNotes, fieldDescription } from "~/components/field-notes";
import type { FormField } from "~/components/server-form";

interface ChoiceGroupProps {
  field: FormField;
  legend: string;
  choices: { value: string; label: string }[];
}

/** A choice among a few options: radio buttons side by side, each as large as a button. */
export function ChoiceGroup({ field, legend, choices }: ChoiceGroupProps) {
  return (
    <fieldset className="grid gap-2" aria-describedby={fieldDescription(field, false)}>
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ value, label }) => (
          <label
            key={value}
            className="inline-flex min-h-10 items-center gap-2 rounded-md border border-line-strong px-3 has-checked:border-accent has-checked:bg-accent-surface"
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
