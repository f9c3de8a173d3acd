import type { ReactNode } from "react";

/** A receipt's labels and values, in two columns where there is room. */
export function ReceiptLines({ children }: { children: ReactNode }) {
  return <dl className="grid max-w-text gap-y-3 sm:grid-cols-[auto_1fr] sm:gap-x-8">{children}</dl>;
}

export function ReceiptLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid items-baseline gap-x-8 sm:col-span-2 sm:grid-cols-subgrid">
      <dt className="text-14 text-ink-2">{label}</dt>
      <dd className="tabular-nums wrap-anywhere">{children}</dd>
    </div>
  );
}
