import type { ReactNode } from "react";

/** A receipt's labels and values, in two columns. */
export function ReceiptLines({ children }: { children: ReactNode }) {
  return <dl className="facts receipt">{children}</dl>;
}

export function ReceiptLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
