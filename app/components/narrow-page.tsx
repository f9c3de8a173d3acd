import type { ReactNode } from "react";

interface NarrowPageProps {
  title: string;
  lead: ReactNode;
  /** Above the card: what happened. */
  notices?: ReactNode;
  /** Below the card: other ways on. */
  after?: ReactNode;
  children: ReactNode;
}

/** A page with one short form. */
export function NarrowPage({ title, lead, notices, after, children }: NarrowPageProps) {
  return (
    <main id="main">
      <div className="wrap">
        <div className="narrow-page">
          {notices}
          <div className="card">
            <div className="stack stack-2">
              <h1>{title}</h1>
              <p className="lead">{lead}</p>
            </div>
            {children}
          </div>
          {after}
        </div>
      </div>
    </main>
  );
}
