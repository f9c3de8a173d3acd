/** Classes of a table whose rows become cards below 640 px: for body cells, and for head cells. */
export const CELL =
  "py-2 pr-4 max-sm:flex max-sm:justify-between max-sm:gap-4 max-sm:py-1 max-sm:pr-0";
export const HEAD = "py-2 pr-4 font-medium";

/** The column's name inside a card, where the head row is hidden. */
export function CardLabel({ children }: { children: string }) {
  return <span className="text-sm text-ink-muted sm:hidden">{children}</span>;
}
