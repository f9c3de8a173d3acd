import type { ReactNode } from "react";

interface DataTableProps {
  /** The table's name for screen readers. */
  caption: string;
  /** Heads of the columns, as words. */
  columns: string[];
  /** Columns from this one on, counted from 0, hold numbers or links and end at the right. */
  endFrom: number;
  /** The rows, as `tr`. */
  children: ReactNode;
}

/** A table of an account's records. Below 640 px each row is a card. */
export function DataTable({ caption, columns, endFrom, children }: DataTableProps) {
  return (
    <div className="card card-flush">
      <table className="data-table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((name, at) => (
              <th key={name} scope="col" className={at < endFrom ? undefined : "end"}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
