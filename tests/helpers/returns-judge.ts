import { CURRENCY } from "~/catalog";
import type { Database } from "~/db.server";
import { getBalance } from "~/models/credits/balance.server";
import {
  type BillingEvent,
  type PaymentReturned,
  RETURN_STATES,
  type ReturnKind,
  type ReturnState,
} from "~/services/payments/billing-event";
import type { Sold, Told } from "./returns-law";

/** A purchase as the database has it. */
export interface Sale {
  name: string;
  of: "order" | "period";
  /** The id that its lots name. */
  reference: string;
  /** Credits that its payment gave, before returns. */
  gave: number;
  short: number;
  /** Credits in its lots. */
  held: number;
  /** Credits spent of its lots and not refunded, and credits that expired in them. */
  spent: number;
  /** Whether a grant of its own brought what it gave; otherwise a lot of the same month holds it. */
  hasLot: boolean;
  /** The rest of the row. */
  row: Record<string, unknown>;
}

/** All that one customer has, by names that are the same for every customer. */
export interface Outcome {
  balance: number;
  sales: Sale[];
}

interface Row extends Omit<Sale, "name" | "row"> {
  paymentId: string | null;
  [column: string]: unknown;
}

export async function readOutcome({ userId, sales }: Told, db: Database): Promise<Outcome> {
  const rows = await db.$queryRaw<Row[]>`
    WITH sold AS (
      SELECT id, 'order' AS of, provider_checkout_id AS "paymentId",
        CASE WHEN paid_at IS NULL THEN 0 ELSE credits END AS gave, credits_short AS short,
        jsonb_build_object('status', status, 'refunded', amount_refunded,
          'disputed', amount_disputed, 'reversed', credits_reversed) AS row
      FROM orders WHERE user_id = ${userId}::uuid
      UNION ALL
      SELECT paid.id, 'period', provider_payment_id, coalesce(granted_credits, 0), credits_short,
        jsonb_build_object('kind', kind, 'plan', paid.plan_key, 'isOpen', closed_at IS NULL,
          'returned', amount_returned, 'reversed', credits_reversed, 'ends', ends_at)
      FROM subscription_periods paid JOIN subscriptions ON subscriptions.id = subscription_id
      WHERE user_id = ${userId}::uuid
    )
    SELECT sold.id::text AS reference, of, "paymentId", gave, short, row,
      (SELECT coalesce(sum(remaining), 0)::int FROM credit_transactions lot
        WHERE lot.user_id = ${userId}::uuid AND reference = sold.id::text
          AND remaining IS NOT NULL) AS held,
      (SELECT coalesce(-sum(allocation.amount), 0)::int FROM credit_allocations allocation
        JOIN credit_transactions moved ON moved.id = transaction_id
        JOIN credit_transactions lot ON lot.id = lot_id
        WHERE lot.user_id = ${userId}::uuid AND lot.reference = sold.id::text
          AND moved.type <> 'reversal') AS spent,
      EXISTS (SELECT 1 FROM credit_transactions lot
        WHERE lot.user_id = ${userId}::uuid AND lot.reference = sold.id::text
          AND type = 'grant') AS "hasLot"
    FROM sold`;
  const named = rows.map(({ paymentId, ...row }) => ({ ...row, name: nameOf(paymentId, sales) }));
  named.sort((a, b) => a.name.localeCompare(b.name));
  return { balance: await getBalance(userId, db), sales: named as unknown as Sale[] };
}

function nameOf(paymentId: string | null, sales: readonly Sold[]): string {
  const isOf = ({ name }: Sold) => paymentId?.includes(`_${name}_`) ?? false;
  return sales.find(isOf)?.name ?? "not known";
}

/**
 * The facts that must be the same for two customers: all but ids. Which lot of a month holds which payment's part depends
 * on what was known when it was granted, so that of a subscription's lots the sum counts.
 */
export function comparable({ balance, sales }: Outcome) {
  const periods = sales.filter(({ of }) => of === "period");
  return {
    balance,
    sales: sales.map(({ name, gave, short, row: { reversed, ...row } }) => ({
      ...{ name, short, ...row, net: gave - Number(reversed) },
      // Whether a month was granted and taken back, or not granted at all, is the same.
      gave: row.isOpen === false ? null : gave,
    })),
    held: {
      orders: sales.filter(({ of }) => of === "order").map(({ held }) => held),
      periods: periods.reduce((total, { held }) => total + held, 0),
    },
  };
}

/** The purchases that pay for something once more, and what they pay for again. */
const REPEATED: Record<string, string> = { again: "base", upgradeAgain: "upgrade" };

/**
 * Judges what is held and owed: each lot's sales give together what they gave, less what is away of each and
 * what was spent; what is missing to that is owed.
 */
export function listWrong(
  { sales }: Outcome,
  told: Told,
  events: readonly BillingEvent[],
): unknown[] {
  // Credits paid for again lie in no other purchase's lot: without one of its own, it gave nothing at first.
  const isShared = sales.some(
    ({ name, of, gave, hasLot }) => of === "period" && gave > 0 && !hasLot && !REPEATED[name],
  );
  const isPart = ({ of }: Sale) => isShared && of === "period";
  const groups = [
    sales.filter(isPart),
    ...sales.filter((sale) => !isPart(sale)).map((sale) => [sale]),
  ];
  return groups.flatMap((group) => {
    const left = group.map((sale) => {
      const sold = told.sales.find(({ name }) => name === sale.name);
      if (!sold) throw new Error(`${sale.name}: nobody sold it`);
      const most = missing(sale.gave, sale.name, told, events);
      return most - portion(most, shareGone(sold, told, events)) - sale.spent;
    });
    const wanted = sum(left);
    const held = sum(group.map((sale) => sale.held));
    const short = sum(group.map((sale) => sale.short));
    const isRight = held === Math.max(0, wanted) && short === Math.max(0, -wanted);
    return isRight ? [] : [{ wanted, held, short, group }];
  });
}

/** Returns how many of these credits a purchase can give: all, or at worst as many as the one that it repeats left missing. */
function missing(
  credits: number,
  name: string,
  told: Told,
  events: readonly BillingEvent[],
): number {
  const repeated = told.sales.find((sold) => sold.name === REPEATED[name]);
  return repeated ? portion(credits, shareGone(repeated, told, events, "at worst")) : credits;
}

/** Credits of the month that each purchase of a period is worth: those of an upgrade are for the rest of the month. */
const WORTH: Record<string, number> = {
  ...{ base: 300, again: 300, upgrade: 900, upgradeAgain: Math.ceil((900 * 24) / 31) },
};

/** The open periods that gave another number of credits than was paid for, if nothing was spent meanwhile. */
export function listUnpaid({ sales }: Outcome): unknown[] {
  return sales.filter(
    ({ of, row, name, gave }) => of === "period" && row.isOpen === true && gave !== WORTH[name],
  );
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** All that an account was ever given, less what returns took. */
export async function sumGiven(userId: string, db: Database): Promise<number> {
  const [given] = await db.$queryRaw<{ credits: number }[]>`
    SELECT coalesce(sum(amount), 0)::int AS credits FROM credit_transactions
    WHERE user_id = ${userId}::uuid AND type IN ('grant', 'adjustment', 'reversal')`;
  return given?.credits ?? 0;
}

interface KnownReturn {
  of: ReturnKind;
  state: ReturnState;
  amount: number;
}

/** The exact share of a sale that is away: a fraction, at most 1. */
interface Fraction {
  part: bigint;
  whole: bigint;
}

const STATES: readonly ReturnState[] = [...RETURN_STATES.refund, ...RETURN_STATES.dispute];
const COUNTING: readonly ReturnState[] = ["pending", "succeeded", "open", "lost"];

/**
 * The share of a sale that went back, as the rules say it, from everything that was told. `at worst`: as if none of it
 * had come back. Nothing of a return in a currency whose charge nobody told. Written again without the service's
 * code.
 */
function shareGone(
  sold: Sold,
  { provider }: Told,
  told: readonly BillingEvent[],
  moment: "now" | "at worst" = "now",
): Fraction {
  let share: Fraction = { part: 0n, whole: 1n };
  for (const payment of sold.payments) {
    const events = told.filter(
      (event): event is PaymentReturned =>
        event.kind === "returned" &&
        event.payment.paymentId === payment.paymentId &&
        event.currency === payment.currency,
    );
    const isKnown =
      payment.currency === CURRENCY ||
      events.some(({ payment: { chargedAmount } }) => chargedAmount !== null);
    if (!isKnown) continue;
    const gone = sumGone(events, provider, moment);
    const returned = BigInt(Math.min(gone, payment.charged)) * BigInt(payment.paid);
    const whole = BigInt(payment.charged) * BigInt(sold.amount);
    share = { part: share.part * whole + returned * share.whole, whole: share.whole * whole };
  }
  return share.part > share.whole ? { part: 1n, whole: 1n } : share;
}

/** Minor units of one payment that are away: named returns that count, and what figures show besides. */
function sumGone(
  events: readonly PaymentReturned[],
  provider: Told["provider"],
  moment: "now" | "at worst",
): number {
  const named = new Map<string, KnownReturn>();
  const figures = { refund: 0, dispute: 0 };
  for (const { of, returnId, state, amount } of events) {
    if (returnId === null) figures[of] = Math.max(figures[of], amount);
    else {
      const known = named.get(returnId);
      const isFurther = !known || STATES.indexOf(state) > STATES.indexOf(known.state);
      named.set(returnId, { of, amount, state: isFurther ? state : known.state });
    }
  }
  const rows = [...named.values()];
  const sumOf = (list: KnownReturn[]) => sum(list.map(({ amount }) => amount));
  const inFigure = rows.filter(({ of }) => of === "refund" || provider === "creem");
  const counting = rows.filter(({ state }) =>
    moment === "now" ? COUNTING.includes(state) : state !== "inquiry",
  );
  return sumOf(counting) + Math.max(0, figures.refund - sumOf(inFigure));
}

/** floor(credits × share). */
const portion = (credits: number, { part, whole }: Fraction) =>
  Number((BigInt(credits) * part) / whole);
