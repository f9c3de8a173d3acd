import type { FormField } from "~/components/server-form";
import { useMessage } from "~/i18n/use-message";

/** The part of a field that its hint and its error need. */
export type DescribedField = Pick<FormField, "id" | "errors" | "errorId">;

/** Returns the `aria-describedby` that links a field to its hint and its error. */
export function fieldDescription(field: DescribedField, hasHint: boolean): string | undefined {
  const ids = [hasHint ? `${field.id}-hint` : "", field.errors ? field.errorId : ""];
  return ids.filter(Boolean).join(" ") || undefined;
}

/** Hint and error below a field. */
export function FieldNotes({ field, hint }: { field: DescribedField; hint?: string }) {
  const message = useMessage();
  return (
    <>
      {hint ? (
        <p id={`${field.id}-hint`} className="text-sm text-ink-muted">
          {hint}
        </p>
      ) : null}
      {field.errors ? (
        <p id={field.errorId} className="text-sm text-danger">
          {field.errors.map(message).join(" ")}
        </p>
      ) : null}
    </>
  );
}
