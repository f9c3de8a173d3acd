/** A calendar month in UTC. */
export interface Month {
  /** As `2026-10`. */
  name: string;
  from: Date;
  /** The first moment of the next month. */
  to: Date;
}

/** Reads a month such as `2026-10`; null for any other text. */
export function parseMonth(text: string): Month | null {
  const parts = /^(2\d{3})-(0[1-9]|1[0-2])$/.exec(text);
  if (!parts) return null;
  const [year, month] = [Number(parts[1]), Number(parts[2])];
  return {
    name: text,
    from: new Date(Date.UTC(year, month - 1)),
    to: new Date(Date.UTC(year, month)),
  };
}
