import type { ReactNode } from "react";

interface PageHeadProps {
  title: ReactNode;
  /** One sentence. */
  lead?: ReactNode;
  /** Buttons at the end of the line. */
  children?: ReactNode;
}

/** A page's heading, its lead sentence and what can be done with the page as a whole. */
export function PageHead({ title, lead, children }: PageHeadProps) {
  return (
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        {lead ? <p className="lead">{lead}</p> : null}
      </div>
      {children}
    </div>
  );
}
