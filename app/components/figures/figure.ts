/** The key figures of the admin page, in its order. */
export const FIGURES = [
  "revenue",
  "credits",
  "outstanding",
  "runs",
  "margin",
  "costly",
  "signUps",
] as const;
export type FigureName = (typeof FIGURES)[number];

/** Columns of the figures' tables that are texts; all others are numbers. */
const TEXT_COLUMNS = [
  "month",
  "product",
  "currency",
  "action",
  "provider",
  "model",
  "error",
  "account",
] as const;

export type FigureColumn =
  | (typeof TEXT_COLUMNS)[number]
  | "paid"
  | "returned"
  | "net"
  | "sold"
  | "granted"
  | "adjusted"
  | "spent"
  | "expired"
  | "creditsReturned"
  | "credits"
  | "worth"
  | "runs"
  | "failed"
  | "unknownCosts"
  | "cost"
  | "margin"
  | "signUps"
  | "buyers"
  | "soon"
  | "medianDays";

/** A key figure as its table: on the page and as CSV. Money is in major units of the row's currency, cost in US dollars. */
export interface Figure {
  name: FigureName;
  columns: FigureColumn[];
  rows: (string | number | null)[][];
  /** Sums by month for its bars, oldest first; null for a figure without a time. */
  bars: { month: string; value: number }[] | null;
}

export const isTextColumn = (column: FigureColumn): boolean =>
  (TEXT_COLUMNS as readonly string[]).includes(column);
