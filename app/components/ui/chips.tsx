interface ChipsProps {
  /** The navigation's name for screen readers. */
  label: string;
  chips: { href: string; text: string; count?: string; isHere: boolean }[];
}

/** Filters as links; the one in use is marked. */
export function Chips({ label, chips }: ChipsProps) {
  return (
    <nav className="chips" aria-label={label}>
      {chips.map(({ href, text, count, isHere }) => (
        <a key={href} className="chip" href={href} aria-current={isHere ? "true" : undefined}>
          {text}
          {count === undefined ? null : <span className="num">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
