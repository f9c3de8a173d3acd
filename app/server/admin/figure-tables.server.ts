import { CURRENCY } from "~/catalog";
import type { Figure, FigureColumn, FigureName } from "~/components/figures/figure";
import { MOVEMENTS } from "~/models/figures/credit-flow.server";
import {
  listCostlyAccounts,
  listMargins,
  listRunsOfProviders,
  type Margin,
} from "~/models/figures/run-figures.server";
import { listRevenueMonths, listSignUpMonths } from "~/models/figures/sale-figures.server";
import {
  listCreditMonths,
  listOutstanding,
  type SummedDays,
} from "~/models/figures/summed-credits.server";
import { minorUnitDigits } from "~/utils/money";

/** The time that a page of figures is about. */
export interface FigureSpan {
  /** The last day, as `2026-10-31`: figures are of the twelve months that end with it. */
  day: string;
}

type Row = Figure["rows"][number];
type Bars = Figure["bars"];

/** Reads one figure. */
export async function readFigure(name: FigureName, { day }: FigureSpan): Promise<Figure> {
  const [year = 0, month = 0] = day.split("-").map(Number);
  const first = new Date(Date.UTC(year - 1, month)).toISOString().slice(0, 10);
  return { name, ...(await READERS[name]({ first, last: day })) };
}

type Table = Omit<Figure, "name">;

const READERS: Record<FigureName, (days: SummedDays) => Promise<Table>> = {
  async revenue(days) {
    const columns: FigureColumn[] = ["month", "product", "currency", "paid", "returned", "net"];
    const rows = (await listRevenueMonths(days)).map(
      ({ month, product, currency, paid, returned }) => {
        const major = (amount: number) => toMajor(amount, currency);
        return [month, product, currency, major(paid), major(returned), major(paid - returned)];
      },
    );
    return { columns, rows, bars: sumByMonth(rows.filter(hasCurrency), 0, 5) };
  },
  async credits(days) {
    const columns: FigureColumn[] = [
      ...(["month", "sold", "granted", "adjusted", "spent", "expired"] as const),
      "creditsReturned",
    ];
    const months = await listCreditMonths(days);
    const rows = months.map((line) => [line.month, ...MOVEMENTS.map((name) => line[name])]);
    const bars = months.map(({ month, spent }) => ({ month, value: -spent })).toReversed();
    return { columns, rows, bars };
  },
  async outstanding(days) {
    const columns: FigureColumn[] = ["month", "product", "currency", "credits", "worth"];
    const rows = (await listOutstanding(days.last)).map(
      ({ month, product, currency, credits, worth }) => [
        ...[month, product, currency],
        credits,
        worth === null ? null : toMajor(worth, currency ?? CURRENCY),
      ],
    );
    return { columns, rows, bars: sumByMonth(rows, 0, 3) };
  },
  async runs(days) {
    const columns: FigureColumn[] = ["action", "provider", "runs", "failed", "error", "credits"];
    const rows = (await listRunsOfProviders(days)).map(
      ({ action, provider, runs, failed, commonError, credits }) => [
        ...[action, provider, runs, failed],
        ...[commonError, credits],
      ],
    );
    return { columns, rows, bars: null };
  },
  async margin(days) {
    const columns: FigureColumn[] = [
      ...(["action", "model", "product", "runs", "unknownCosts"] as const),
      ...(["cost", "currency", "worth", "margin"] as const),
    ];
    return { columns, rows: (await listMargins(days)).map(marginRow), bars: null };
  },
  async costly({ last }) {
    const columns: FigureColumn[] = ["account", "runs", "credits", "cost"];
    const rows = (await listCostlyAccounts(last)).map(({ email, runs, credits, costUsdMicros }) => [
      email,
      runs,
      credits,
      inDollars(costUsdMicros),
    ]);
    return { columns, rows, bars: null };
  },
  async signUps(days) {
    const columns: FigureColumn[] = ["month", "signUps", "buyers", "soon", "medianDays"];
    const months = await listSignUpMonths(days);
    const rows = months.map(({ month, signUps, buyers, soon, medianDays }) => [
      ...[month, signUps, buyers, soon],
      medianDays === null ? null : Math.round(medianDays * 10) / 10,
    ]);
    const bars = months.map(({ month, signUps }) => ({ month, value: signUps })).toReversed();
    return { columns, rows, bars };
  },
};

/** The margin is known where credits were paid in dollars, as the cost is, and the cost of every run is known. */
function marginRow(margin: Margin): Row {
  const { action, model, product, runs, unknownCosts, costUsdMicros, currency, worth } = margin;
  const cost = inDollars(costUsdMicros);
  const earned = currency === null ? 0 : toMajor(worth, currency);
  const isKnown = unknownCosts === 0 && (currency === null || currency.toLowerCase() === "usd");
  const rest = isKnown ? Math.round((earned - cost) * 1e6) / 1e6 : null;
  return [action, model, product, runs, unknownCosts, cost, currency, earned, rest];
}

const inDollars = (micros: number) => micros / 1e6;

/** An amount in major units, as spreadsheets read it. */
const toMajor = (amount: number, currency: string) => amount / 10 ** minorUnitDigits(currency);

/** Amounts of other currencies are never added. */
const hasCurrency = (row: Row) => row[2] === CURRENCY;

function sumByMonth(rows: readonly Row[], monthColumn: number, valueColumn: number): Bars {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const month = String(row[monthColumn]);
    sums.set(month, (sums.get(month) ?? 0) + Number(row[valueColumn] ?? 0));
  }
  return [...sums]
    .map(([month, value]) => ({ month, value }))
    .sort((a, b) => (a.month < b.month ? -1 : 1));
}
