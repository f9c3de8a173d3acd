import type { ReactNode } from "react";

interface NextDate {
  key: string;
  /** A date, or "Today". */
  when: ReactNode;
  what: ReactNode;
  /** It has happened, or happens now. */
  isNow?: boolean;
}

/** Shows what happens next, as a line of dates. */
export function NextDates({ dates }: { dates: NextDate[] }) {
  return (
    <ol className="next">
      {dates.map(({ key, when, what, isNow }) => (
        <li key={key} className={isNow ? "on" : undefined}>
          <span className="date">{when}</span>
          <span>{what}</span>
        </li>
      ))}
    </ol>
  );
}
