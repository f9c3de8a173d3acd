import type { FigureColumn, FigureName } from "~/components/figures/figure";

/** The message keys of a figure: its title, the rows that it is made of, and its bars. */
export const FIGURE_TEXTS = {
  revenue: {
    title: "figures.revenue.title",
    rows: "figures.revenue.rows",
    bars: "figures.revenue.bars",
  },
  credits: {
    title: "figures.credits.title",
    rows: "figures.credits.rows",
    bars: "figures.credits.bars",
  },
  outstanding: {
    title: "figures.outstanding.title",
    rows: "figures.outstanding.rows",
    bars: "figures.outstanding.bars",
  },
  runs: {
    title: "figures.runs.title",
    rows: "figures.runs.rows",
    bars: null,
  },
  margin: {
    title: "figures.margin.title",
    rows: "figures.margin.rows",
    bars: null,
  },
  costly: {
    title: "figures.costly.title",
    rows: "figures.costly.rows",
    bars: null,
  },
  signUps: {
    title: "figures.signUps.title",
    rows: "figures.signUps.rows",
    bars: "figures.signUps.bars",
  },
} as const satisfies Record<FigureName, { title: string; rows: string; bars: string | null }>;

/** The message keys of the columns' heads. */
export const COLUMN_TEXTS = {
  month: "figures.columns.month",
  product: "figures.columns.product",
  currency: "figures.columns.currency",
  action: "figures.columns.action",
  provider: "figures.columns.provider",
  model: "figures.columns.model",
  error: "figures.columns.error",
  account: "figures.columns.account",
  paid: "figures.columns.paid",
  returned: "figures.columns.returned",
  net: "figures.columns.net",
  sold: "figures.columns.sold",
  granted: "figures.columns.granted",
  adjusted: "figures.columns.adjusted",
  spent: "figures.columns.spent",
  expired: "figures.columns.expired",
  creditsReturned: "figures.columns.creditsReturned",
  credits: "figures.columns.credits",
  worth: "figures.columns.worth",
  runs: "figures.columns.runs",
  failed: "figures.columns.failed",
  unknownCosts: "figures.columns.unknownCosts",
  cost: "figures.columns.cost",
  margin: "figures.columns.margin",
  signUps: "figures.columns.signUps",
  buyers: "figures.columns.buyers",
  soon: "figures.columns.soon",
  medianDays: "figures.columns.medianDays",
} as const satisfies Record<FigureColumn, string>;
