import type { ReactNode } from "react";

/** The kind of a column's content; each has its place in a card. */
type Kind =
  /** The row's name, on top of its card. */
  | "title"
  /** The row's name, beside its label. */
  | "name"
  | "text"
  | "number"
  /** Links and buttons, below the rest. */
  | "actions";

interface Column<Row> {
  label: string;
  kind?: Kind;
  cell: (row: Row) => ReactNode;
}

interface CardTableProps<Row> {
  /** The table's name for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
}

const HEAD = "py-2 pr-4 font-medium";
const CELL = "py-2 pr-4 max-sm:flex max-sm:justify-between max-sm:gap-4 max-sm:py-1 max-sm:pr-0";

const CLASSES: Record<Kind, string> = {
  title: `${HEAD} wrap-anywhere max-sm:block`,
  name: `${CELL} font-medium`,
  text: CELL,
  number: `${CELL} text-right tabular-nums`,
  actions: "py-2",
};

/** A table on wide screens. Below 640 px each row is a card, and each cell has its column's label. */
export function CardTable<Row>({ caption, columns, rows, keyOf }: CardTableProps<Row>) {
  return (
    <table className="w-full text-left max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="border-b border-line text-14 text-ink-2 max-sm:sr-only">
        <tr>
          {columns.map(({ label, kind }) => (
            <th key={label} scope="col" className={kind === "number" ? `${HEAD} text-right` : HEAD}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:grid max-sm:gap-4">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            className="border-b border-line max-sm:block max-sm:rounded-md max-sm:border max-sm:p-4"
          >
            {columns.map((column) => (
              <Cell key={column.label} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { label, kind = "text", cell } = column;
  const content = (
    <>
      {kind === "title" || kind === "actions" ? null : (
        <span className="text-14 text-ink-2 sm:hidden">{label}</span>
      )}
      {cell(row)}
    </>
  );
  if (kind === "title" || kind === "name") {
    return (
      <th scope="row" className={CLASSES[kind]}>
        {content}
      </th>
    );
  }
  return <td className={CLASSES[kind]}>{content}</td>;
}
