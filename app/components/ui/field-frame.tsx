import type { ReactNode } from "react";
import { type DescribedField, FieldNotes, fieldDescription } from "~/components/ui/field-notes";

interface FieldFrameProps {
  field: DescribedField;
  label: string;
  hint?: string;
  /** At the end of the label's line. */
  aside?: ReactNode;
  /** Gets the attribute that links the control to its hint and error for screen readers. */
  children: (description: { "aria-describedby": string | undefined }) => ReactNode;
}

/** The label above a control, and its hint and error below. */
export function FieldFrame({ field, label, hint, aside, children }: FieldFrameProps) {
  return (
    <div className="field">
      {aside ? (
        <div className="label">
          <label htmlFor={field.id}>{label}</label>
          {aside}
        </div>
      ) : (
        <label htmlFor={field.id} className="label">
          {label}
        </label>
      )}
      {children({ "aria-describedby": fieldDescription(field, hint !== undefined) })}
      <FieldNotes field={field} {...(hint ? { hint } : {})} />
    </div>
  );
}
