import type { ReactNode } from "react";

interface CardProps {
  /** The heading's text; its id names the section for screen readers. */
  title?: string;
  id?: string;
  /** Beside the heading. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A section on its own surface. */
export function Card({ title, id, aside, className = "", children }: CardProps) {
  if (!title) return <section className={`card ${className}`.trim()}>{children}</section>;
  const headingId = `${id ?? "card"}-title`;
  return (
    <section id={id} className={`card ${className}`.trim()} aria-labelledby={headingId}>
      <div className="card-head">
        <h2 id={headingId} className="h-small">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
