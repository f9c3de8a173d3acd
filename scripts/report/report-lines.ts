import { MOVEMENTS } from "~/models/figures/credit-flow.server";
import type { MonthReport } from "~/models/figures/month-report.server";
import { type CsvCell, csvLine } from "~/utils/csv.server";
import { formatAmount } from "~/utils/money";
import { textTable } from "../lib/text-table";

export const FORMATS = ["text", "csv", "json"] as const;
export type Format = (typeof FORMATS)[number];

/** The lines of a report, without line ends. */
export function linesOf(report: MonthReport, format: Format): string[] {
  if (format === "json") return [JSON.stringify(withNet(report))];
  return format === "csv" ? csvLines(report) : textLines(report);
}

function withNet({ differences: _, ...report }: MonthReport) {
  const revenue = report.revenue.map((line) => ({ ...line, net: line.paid - line.returned }));
  return { ...report, revenue };
}

const CREDIT_LINES = ["opening", ...MOVEMENTS, "closing"] as const;

function textLines({ month, credits, revenue, outstanding }: MonthReport): string[] {
  return [
    `${month} (UTC)`,
    "",
    ...textTable([["credits", ""], ...CREDIT_LINES.map((line) => [line, String(credits[line])])]),
    "",
    ...textTable([
      ["revenue", "paid", "returned", "net"],
      ...revenue.map(({ product, currency, paid, returned }) => [
        product,
        ...[paid, returned, paid - returned].map((amount) => formatAmount({ amount, currency })),
      ]),
      ...totals(revenue.map((line) => ({ ...line, amount: line.paid - line.returned }))).map(
        (total) => ["total", "", "", formatAmount(total)],
      ),
    ]),
    "",
    ...textTable([
      ["outstanding at the end", "credits", "worth"],
      ...outstanding.map((line) => [line.product, String(line.credits), worthText(line)]),
      ...totals(
        outstanding.flatMap(({ currency, worth }) =>
          currency === null || worth === null ? [] : [{ currency, amount: worth }],
        ),
      ).map((total) => ["total", "", formatAmount(total)]),
    ]),
  ];
}

/** The sums of amounts, by currency. */
function totals(lines: readonly { currency: string; amount: number }[]) {
  const sums = new Map<string, number>();
  for (const { currency, amount } of lines) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].map(([currency, amount]) => ({ currency, amount }));
}

function worthText({ currency, worth }: MonthReport["outstanding"][number]): string {
  if (worth === null) return "the payment's amount isn't known yet";
  return currency === null ? "0" : formatAmount({ amount: worth, currency });
}

/** One table for all parts, so that one import reads it. Amounts are exact decimals of the currency. */
function csvLines({ credits, revenue, outstanding }: MonthReport): string[] {
  const rows: CsvCell[][] = [
    ["part", "item", "product", "currency", "credits", "amount"],
    ...CREDIT_LINES.map((line) => ["credits", line, null, null, credits[line], null]),
    ...revenue.flatMap(({ product, currency, paid, returned }) =>
      Object.entries({ paid, returned, net: paid - returned }).map(([item, amount]) => [
        ...["revenue", item, product, currency],
        null,
        decimal(amount, currency),
      ]),
    ),
    ...outstanding.map(({ product, currency, credits: held, worth }) => [
      ...["outstanding", "closing", product, currency],
      held,
      worth === null ? null : currency === null ? 0 : decimal(worth, currency),
    ]),
  ];
  return rows.map((cells) => csvLine(cells).trimEnd());
}

const decimal = (amount: number, currency: string) =>
  Number(formatAmount({ amount, currency }).split(" ")[0]);
