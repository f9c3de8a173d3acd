import type { ReactNode } from "react";
import { PageHead } from "~/components/ui/page-head";

interface PageProps {
  title: string;
  lead: string;
  children?: ReactNode;
}

/** A page's body: one heading, one lead sentence, then the content. */
export function Page({ title, lead, children }: PageProps) {
  return (
    <main id="main">
      <div className="wrap page">
        <PageHead title={title} lead={lead} />
        <div className="grid gap-8">{children}</div>
      </div>
    </main>
  );
}
