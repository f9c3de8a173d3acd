import type { ReactNode } from "react";

interface OfferSectionProps {
  title: string;
  hint: string;
  children: ReactNode;
}

/** One kind of offers under its heading. */
export function OfferSection({ title, hint, children }: OfferSectionProps) {
  return (
    <section className="grid gap-4">
      <div className="grid gap-1">
        <h2 className="text-24 font-semibold">{title}</h2>
        <p className="max-w-text text-ink-2">{hint}</p>
      </div>
      {children}
    </section>
  );
}
