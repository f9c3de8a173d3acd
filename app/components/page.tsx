import type { ReactNode } from "react";

interface PageProps {
  title: string;
  lead: string;
  children?: ReactNode;
}

/** A page's body: one heading, one lead sentence, then the content. */
export function Page({ title, lead, children }: PageProps) {
  return (
    <main id="main" className="mx-auto grid max-w-page gap-8 px-4 py-10">
      <div className="grid gap-2">
        <h1 className="text-2xl font-semibold text-balance">{title}</h1>
        <p className="max-w-text text-lg text-pretty wrap-anywhere text-ink-muted">{lead}</p>
      </div>
      {children}
    </main>
  );
}
