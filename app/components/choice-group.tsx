import { type FieldMetadata, getCollectionProps } from "@conform-to/react";
import { FieldNotes, fieldDescription } from "~/components/field-notes";

interface ChoiceGroupProps {
  field: FieldMetadata<unknown>;
  legend: string;
  choices: { value: string; label: string }[];
}

/** A choice among a few options: radio buttons side by side, each as large as a button. */
export function ChoiceGroup({ field, legend, choices }: ChoiceGroupProps) {
  const radios = getCollectionProps(field as FieldMetadata<string>, {
    type: "radio",
    options: choices.map(({ value }) => value),
  });
  return (
    <fieldset className="grid gap-2" aria-describedby={fieldDescription(field, false)}>
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ value, label }, index) => {
          const { key, ...radio } = radios[index] ?? { key: value };
          return (
            <label
              key={key}
              className="inline-flex min-h-10 items-center gap-2 rounded-md border border-line-strong px-3 has-checked:border-accent has-checked:bg-accent-surface"
            >
              <input {...radio} className="size-4 accent-accent" />
              {label}
            </label>
          );
        })}
      </div>
      <FieldNotes field={field} />
    </fieldset>
  );
}
