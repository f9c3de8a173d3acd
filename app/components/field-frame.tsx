import type { ReactNode } from "react";
import { type DescribedField, FieldNotes, fieldDescription } from "~/components/field-notes";

interface FieldFrameProps {
  field: DescribedField;
  label: string;
  hint?: string;
  /** Gets the attribute that links the control to its hint and error for screen readers. */
  children: (description: { "aria-describedby": string | undefined }) => ReactNode;
}

/** The label above a control, and its hint and error below. */
export function FieldFrame({ field, label, hint, children }: FieldFrameProps) {
  return (
    <div className="grid gap-1">
      <label htmlFor={field.id} className="font-medium">
        {label}
      </label>
      {children({ "aria-describedby": fieldDescription(field, hint !== undefined) })}
      <FieldNotes field={field} {...(hint ? { hint } : {})} />
    </div>
  );
}
