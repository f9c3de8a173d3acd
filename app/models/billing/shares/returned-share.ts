import type { PaymentProviderName } from "~/env/payments";
import { add, multiply, NONE, portionOf, type Share, shareOf } from "~/models/billing/shares/share";
import type { ReturnKind, ReturnState } from "~/services/payments/billing-event";

/** A refund or a dispute as it is stored. Amounts in minor units of `currency`. */
export interface ReturnRow {
  /** Null for the payment's unnamed row: its amount is the highest cumulative figure told. */
  providerReturnId: string | null;
  /**
   * Whether it is an unnamed total of the whole sale: it bears an id of the order, the invoice or the period.
   * Totals from before version 1.0 do, since their payment wasn't kept.
   */
  isTotal: boolean;
  kind: ReturnKind;
  providerPaymentId: string;
  state: ReturnState;
  amount: number;
  /** The amount that the payment charged, in the same currency; null if nobody said it. */
  chargedAmount: number | null;
  currency: string;
}

/** The order or paid period that a payment paid for. */
export interface Sale {
  provider: PaymentProviderName;
  /** Minor units; null while the payment is unknown. */
  amount: number | null;
  currency: string | null;
  /** The part of an invoice that each of its payments paid, by the payment's id; null if the sale has one payment. */
  parts: ReadonlyMap<string, number | null> | null;
}

/**
 * `now`: what is away now. `at_worst`: as if no refund had failed and no dispute had been won, which is
 * the most that was ever away.
 */
export type Moment = "now" | "at_worst";

/** States in which the money is away. */
export const AWAY: readonly ReturnState[] = ["pending", "succeeded", "open", "lost"];

/**
 * A provider's cumulative figures hold the refunds or the disputes (`apart`), or both, whatever the event that told
 * the figure was about (`together`).
 */
export const FIGURES: Record<PaymentProviderName, "apart" | "together"> = {
  stripe: "apart",
  creem: "together",
};

function isAway({ state }: ReturnRow, moment: Moment): boolean {
  return moment === "now" ? AWAY.includes(state) : state !== "inquiry";
}

/**
 * The payment of a figure; null if it holds what went back of the whole sale. Where a figure holds both kinds, a
 * sale has one payment, which may have several ids.
 */
function payerOf({ isTotal, providerPaymentId }: ReturnRow, provider: PaymentProviderName) {
  return isTotal || FIGURES[provider] === "together" ? null : providerPaymentId;
}

/**
 * Counts the figures of a payment: these less everything that is known by its own id, in whatever state. Totals
 * of the sale are counted less everything else that is known of it. Of figures that hold both kinds the
 * higher one was told later and includes the other.
 */
function countFigures(
  rows: readonly ReturnRow[],
  provider: PaymentProviderName,
  payer: string | null,
): Record<ReturnKind, number> {
  const figures = rows.filter((row) => isFigure(row) && payerOf(row, provider) === payer);
  const explained = sumExplained(rows, provider, payer);
  const highest = (kind: ReturnKind) =>
    Math.max(0, ...figures.filter((row) => row.kind === kind).map(({ amount }) => amount));
  const figure = { refund: highest("refund"), dispute: highest("dispute") };
  const rest = (kind: ReturnKind) => Math.max(0, figure[kind] - explained[kind]);
  if (FIGURES[provider] === "apart") return { refund: rest("refund"), dispute: rest("dispute") };
  const both = Math.max(figure.refund, figure.dispute);
  const all = Math.max(0, both - explained.refund - explained.dispute);
  const [earlier, later] =
    figure.refund < figure.dispute
      ? (["refund", "dispute"] as const)
      : (["dispute", "refund"] as const);
  const first = Math.min(all, rest(earlier));
  return { [earlier]: first, [later]: all - first } as Record<ReturnKind, number>;
}

const isFigure = ({ providerReturnId }: ReturnRow) => providerReturnId === null;

/** Sums all that is known besides the figures of this payment, or besides the totals of the sale. */
function sumExplained(
  rows: readonly ReturnRow[],
  provider: PaymentProviderName,
  payer: string | null,
): Record<ReturnKind, number> {
  const explained = { refund: 0, dispute: 0 };
  for (const row of rows)
    if (!isFigure(row) && (payer === null || row.providerPaymentId === payer))
      explained[row.kind] += row.amount;
  if (payer !== null) return explained;
  for (const other of listPayers(rows, provider)) {
    if (other === null) continue;
    const { refund, dispute } = countFigures(rows, provider, other);
    explained.refund += refund;
    explained.dispute += dispute;
  }
  return explained;
}

function listPayers(rows: readonly ReturnRow[], provider: PaymentProviderName) {
  return new Set(rows.filter(isFigure).map((row) => payerOf(row, provider)));
}

/** The sum that an unnamed row counts of its payment, in minor units. */
export function unexplained(
  figure: ReturnRow,
  rows: readonly ReturnRow[],
  provider: PaymentProviderName,
): number {
  const comparable = rows.filter(({ currency }) => currency === figure.currency);
  return countFigures(comparable, provider, payerOf(figure, provider))[figure.kind];
}

/** Minor units of one currency that went back of a sale, or of one of its payments, by kind. */
export function sumReturned(
  all: readonly ReturnRow[],
  provider: PaymentProviderName,
  {
    currency,
    moment = "now",
    paymentId = null,
  }: { currency: string; moment?: Moment; paymentId?: string | null },
): Record<ReturnKind, number> {
  const rows = all.filter((row) => row.currency === currency);
  const own = ofPayment(rows, paymentId);
  const total = { refund: 0, dispute: 0 };
  for (const row of own) if (!isFigure(row) && isAway(row, moment)) total[row.kind] += row.amount;
  for (const payer of listPayers(own, provider)) {
    const { refund, dispute } = countFigures(rows, provider, payer);
    total.refund += refund;
    total.dispute += dispute;
  }
  return total;
}

function ofPayment(rows: readonly ReturnRow[], paymentId: string | null): readonly ReturnRow[] {
  return paymentId === null ? rows : rows.filter((row) => row.providerPaymentId === paymentId);
}

/**
 * The share of a sale that went back: the sum over its payments, and over the currencies of their returns. Null if
 * it can't be known: a return is in another currency than the sale, and nobody said what was charged in that.
 */
export function returnedShare(
  rows: readonly ReturnRow[],
  sale: Sale,
  moment: Moment = "now",
): Share | null {
  const idOf = (row: ReturnRow) => (sale.parts ? row.providerPaymentId : null);
  let share: Share | null = NONE;
  for (const paymentId of new Set(rows.map(idOf)))
    for (const currency of new Set(ofPayment(rows, paymentId).map((row) => row.currency))) {
      const returned = shareOfPayment(rows, { paymentId, currency, sale, moment });
      share = share && returned && add(share, returned);
    }
  return share;
}

/**
 * Of what one payment of an invoice charged in one currency; null: of a sale that has only one payment. Only what was
 * charged in that currency divides what went back in it.
 */
function shareOfPayment(
  rows: readonly ReturnRow[],
  {
    paymentId,
    currency,
    sale,
    moment,
  }: { paymentId: string | null; currency: string; sale: Sale; moment: Moment },
): Share | null {
  const { refund, dispute } = sumReturned(rows, sale.provider, { currency, moment, paymentId });
  const away = refund + dispute;
  if (away === 0) return NONE;
  const amount = currency === sale.currency ? sale.amount : null;
  const charged = chargedIn(ofPayment(rows, paymentId), currency);
  if (!sale.parts || paymentId === null) return shareOrNull(away, charged ?? amount);
  const paid = sale.parts.get(paymentId) ?? null;
  // Without the part that this payment paid, the invoice's amount divides.
  if (paid === null || sale.amount === null) return shareOrNull(away, amount ?? charged);
  const ofInvoice = shareOrNull(away, charged ?? (amount === null ? null : paid));
  return ofInvoice && multiply(ofInvoice, shareOf(paid, sale.amount));
}

/** Returns the minor units that a payment charged in this currency; null if nobody said it. */
export function chargedIn(rows: readonly ReturnRow[], currency: string): number | null {
  const told = rows.filter((row) => row.currency === currency && row.chargedAmount !== null);
  // A total's charge is the sale's amount; the payment itself may say another one.
  return (told.find(({ isTotal }) => !isTotal) ?? told[0])?.chargedAmount ?? null;
}

/** Sums the money that is away of a sale with one payment, by kind, in minor units of the sale's currency. */
export function amountsAway(
  rows: readonly ReturnRow[],
  {
    provider,
    amount,
    currency,
  }: { provider: PaymentProviderName; amount: number; currency: string },
): Record<ReturnKind, number> {
  const away = { refund: 0, dispute: 0 };
  for (const other of new Set(rows.map((row) => row.currency))) {
    const charged = chargedIn(rows, other) ?? 0;
    const inSales = (sum: number) =>
      other === currency ? sum : portionOf(amount, shareOf(sum, charged));
    const { refund, dispute } = sumReturned(rows, provider, { currency: other });
    away.refund += inSales(refund);
    away.dispute += inSales(dispute);
  }
  return away;
}

function shareOrNull(part: number, whole: number | null): Share | null {
  return whole === null ? null : shareOf(part, whole);
}
