import type { ReactNode } from "react";
import type { ArtName } from "~/components/ui/art";
import { EmptyState } from "~/components/ui/empty-state";

interface StatePageProps {
  art: ArtName;
  title: string;
  /** Says what happened and what it means. */
  lead: ReactNode;
  /** The next step: one link or form. */
  children?: ReactNode;
}

/** A page that says one thing and offers one step: an error, a finished or a failed link. */
export function StatePage({ art, title, lead, children }: StatePageProps) {
  return (
    <main id="main">
      <div className="wrap page state-page">
        <EmptyState art={art} title={title} action={children} isPage>
          <p>{lead}</p>
        </EmptyState>
      </div>
    </main>
  );
}
