interface PagerProps {
  /** The navigation's name for screen readers. */
  label: string;
  /** From 1, the newest. */
  page: number;
  pages: number;
  hrefOf: (page: number) => string;
  texts: {
    newer: string;
    older: string;
    place: (values: { page: number; pages: number }) => string;
  };
}

/** Links to the pages before and after. Renders nothing for a single page. */
export function Pager({ label, page, pages, hrefOf, texts }: PagerProps) {
  if (pages <= 1) return null;
  return (
    <nav className="pager" aria-label={label}>
      <PagerLink href={page > 1 ? hrefOf(page - 1) : null} rel="prev" text={texts.newer} />
      <span className="small muted num">{texts.place({ page, pages })}</span>
      <PagerLink href={page < pages ? hrefOf(page + 1) : null} rel="next" text={texts.older} />
    </nav>
  );
}

function PagerLink({ href, rel, text }: { href: string | null; rel: string; text: string }) {
  if (href === null)
    return (
      // Only keeps its place: read out, it would be a word without use.
      <span className="btn btn-2 btn-sm" aria-disabled="true" aria-hidden="true">
        {text}
      </span>
    );
  return (
    <a className="btn btn-2 btn-sm" href={href} rel={rel}>
      {text}
    </a>
  );
}
