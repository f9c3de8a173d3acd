import type { PaymentProviderName } from "~/env/payments";
import { add, multiply, NONE, type Share, shareOf } from "~/models/billing/shares/share";
import type { ReturnKind, ReturnState } from "~/services/payments/billing-event";

/** A refund or a dispute as it is stored. Amounts in minor units of `currency`. */
export interface ReturnRow {
  /** Null for the payment's unnamed row: its amount is the highest cumulative figure told. */
  providerReturnId: string | null;
  kind: ReturnKind;
  providerPaymentId: string;
  state: ReturnState;
  amount: number;
  /** What the payment charged, in the same currency; null if nobody said it. */
  chargedAmount: number | null;
  currency: string;
}

/** The order or paid period that a payment paid for. */
export interface Sale {
  provider: PaymentProviderName;
  /** Minor units; null while the payment is unknown. */
  amount: number | null;
  currency: string | null;
  /** What each of an invoice's payments paid of it, by the payment's id; null if the sale has one payment. */
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
 * What a provider's cumulative figures hold. `apart`: the refunds, or the disputes. `together`: both, whatever
 * the event that told the figure was about.
 */
export const FIGURES: Record<PaymentProviderName, "apart" | "together"> = {
  stripe: "apart",
  creem: "together",
};

function isAway({ state }: ReturnRow, moment: Moment): boolean {
  return moment === "now" ? AWAY.includes(state) : state !== "inquiry";
}

/**
 * What the unnamed rows of a payment count: their figures less everything that is known by its own id, in
 * whatever state. Of figures that hold both kinds the higher one was told later and includes the other.
 */
function countFigures(
  rows: readonly ReturnRow[],
  provider: PaymentProviderName,
): Record<ReturnKind, number> {
  const sumOf = (kind: ReturnKind, isFigure: boolean) =>
    sum(
      rows
        .filter((row) => row.kind === kind && (row.providerReturnId === null) === isFigure)
        .map(({ amount }) => amount),
    );
  const figure = { refund: sumOf("refund", true), dispute: sumOf("dispute", true) };
  const named = { refund: sumOf("refund", false), dispute: sumOf("dispute", false) };
  const rest = (kind: ReturnKind) => Math.max(0, figure[kind] - named[kind]);
  if (FIGURES[provider] === "apart") return { refund: rest("refund"), dispute: rest("dispute") };
  const highest = Math.max(figure.refund, figure.dispute);
  const all = Math.max(0, highest - named.refund - named.dispute);
  const [earlier, later] =
    figure.refund < figure.dispute
      ? (["refund", "dispute"] as const)
      : (["dispute", "refund"] as const);
  const first = Math.min(all, rest(earlier));
  return { [earlier]: first, [later]: all - first } as Record<ReturnKind, number>;
}

/** The sum that an unnamed row counts of its payment, in minor units. */
export function unexplained(
  figure: ReturnRow,
  rows: readonly ReturnRow[],
  provider: PaymentProviderName,
): number {
  return countFigures(ofPayment(rows, figure.providerPaymentId), provider)[figure.kind];
}

function ofPayment(rows: readonly ReturnRow[], paymentId: string): ReturnRow[] {
  return rows.filter(({ providerPaymentId }) => providerPaymentId === paymentId);
}

/** What each row counts, in minor units of its currency. */
function countRows(
  rows: readonly ReturnRow[],
  provider: PaymentProviderName,
  moment: Moment,
): { row: ReturnRow; counts: number }[] {
  return rows.map((row) => {
    if (row.providerReturnId === null) return { row, counts: unexplained(row, rows, provider) };
    return { row, counts: isAway(row, moment) ? row.amount : 0 };
  });
}

/** Minor units that went back, by kind. */
export function sumReturned(
  rows: readonly ReturnRow[],
  provider: PaymentProviderName,
  moment: Moment = "now",
): Record<ReturnKind, number> {
  const total = { refund: 0, dispute: 0 };
  for (const { row, counts } of countRows(rows, provider, moment)) total[row.kind] += counts;
  return total;
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
  const idOf = (row: ReturnRow) => (sale.parts ? row.providerPaymentId : "");
  let share: Share | null = NONE;
  for (const paymentId of new Set(rows.map(idOf))) {
    const returns = rows.filter((row) => idOf(row) === paymentId);
    const returned = shareOfPayment(returns, { paymentId, sale, moment });
    share = share && returned && add(share, returned);
  }
  return share;
}

function shareOfPayment(
  rows: readonly ReturnRow[],
  { paymentId, sale, moment }: { paymentId: string; sale: Sale; moment: Moment },
): Share | null {
  const away = new Map<string, number>();
  for (const { row, counts } of countRows(rows, sale.provider, moment))
    if (counts > 0) away.set(row.currency, (away.get(row.currency) ?? 0) + counts);
  let share: Share | null = NONE;
  for (const [currency, sum] of away) {
    const returned = shareOfSum(sum, { currency, rows, sale, paymentId });
    share = share && returned && add(share, returned);
  }
  return share;
}

/** The share of a sale that a payment's returns in one currency are. Only what was charged in that divides them. */
function shareOfSum(
  away: number,
  {
    currency,
    rows,
    sale,
    paymentId,
  }: { currency: string; rows: readonly ReturnRow[]; sale: Sale; paymentId: string },
): Share | null {
  const amount = currency === sale.currency ? sale.amount : null;
  const told = rows.find((row) => row.currency === currency && row.chargedAmount !== null);
  const charged = told?.chargedAmount ?? null;
  if (!sale.parts) return shareOrNull(away, charged ?? amount);
  const paid = sale.parts.get(paymentId) ?? null;
  // Without the part that this payment paid, the invoice's amount divides.
  if (paid === null || sale.amount === null) return shareOrNull(away, amount ?? charged);
  const ofPayment = shareOrNull(away, charged ?? (amount === null ? null : paid));
  return ofPayment && multiply(ofPayment, shareOf(paid, sale.amount));
}

function shareOrNull(part: number, whole: number | null): Share | null {
  return whole === null ? null : shareOf(part, whole);
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
