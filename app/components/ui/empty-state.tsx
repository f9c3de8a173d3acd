import type { ReactNode } from "react";
import { Art, type ArtName } from "~/components/ui/art";

interface EmptyStateProps {
  art: ArtName;
  title: string;
  /** Says what will be here, or what happened. */
  children: ReactNode;
  /** The first step. */
  action?: ReactNode;
  /** The page's own heading, where the state is the whole page. */
  isPage?: boolean;
}

/** Stands where there is nothing yet, and after errors. */
export function EmptyState({ art, title, children, action, isPage = false }: EmptyStateProps) {
  return (
    <div className="card empty">
      <Art name={art} />
      {isPage ? <h1 className="h24">{title}</h1> : <h2 className="h24">{title}</h2>}
      <div className="empty-text">{children}</div>
      {action}
    </div>
  );
}
