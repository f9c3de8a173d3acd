import { Field, SelectField, TextareaField } from "~/components/ui/field";
import { serverForm } from "~/components/ui/server-form";
import { Part } from "./part";

const SHAPES = ["square", "landscape", "portrait"].map((value) => ({ value, label: value }));

/** Shows fields with a hint and with an error. */
export function FormParts({ id }: { id: string }) {
  const { field } = serverForm<"name" | "email" | "prompt" | "language">({
    id: `sheet-${id}`,
    result: undefined,
    defaultValue: { email: "ada@", language: "landscape" },
  });
  return (
    <Part file="field">
      <form className="grid gap-4">
        <Field field={field("name")} label="With a hint" hint="As others see it." />
        <Field
          field={{ ...field("email"), errors: ["Enter an email address, like ada@example.com."] }}
          label="With an error"
        />
        <TextareaField field={field("prompt")} rows={3} label="Several lines" />
        <SelectField field={field("language")} label="One of a list" options={SHAPES} />
      </form>
    </Part>
  );
}
