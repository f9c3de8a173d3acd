import type { FieldMetadata } from "@conform-to/react";
import { useMessage } from "~/i18n/use-message";

/** A conform field, or the same members of one without conform. */
export type DescribedField = Pick<FieldMetadata, "id" | "errors" | "errorId">;

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
