import { minorUnitDigits } from "~/utils/money";

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

/** Columns of money: in the row's currency, and in US dollars. */
const MONEY: readonly FigureColumn[] = ["paid", "returned", "net", "worth"];
const DOLLARS: readonly FigureColumn[] = ["cost", "margin"];

/** The decimals that a number of this column has at least. A row without a currency is about free credits. */
export function decimalsOf(column: FigureColumn, currency: string | null): number {
  if (DOLLARS.includes(column)) return 2;
  return MONEY.includes(column) && currency !== null ? minorUnitDigits(currency) : 0;
}

export const isTextColumn = (column: FigureColumn): boolean =>
  (TEXT_COLUMNS as readonly string[]).includes(column);
