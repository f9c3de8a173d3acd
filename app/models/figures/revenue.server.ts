import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { Prisma } from "~/generated/prisma/client";
import { AWAY, type ReturnRow, unexplained } from "~/models/billing/shares/returned-share";
import { IS_ORDER_TOTAL, IS_PERIOD_TOTAL } from "~/models/billing/shares/total-rows.server";
import { productOf } from "~/models/figures/lot-sales.server";
import type { Days } from "~/models/figures/summary.server";

/** The revenue of one product in one month, in minor units of one currency. */
export interface Revenue {
  /** As `2026-10`. */
  month: string;
  product: string;
  currency: string;
  paid: number;
  /** Refunds and disputes of that month, of whatever month's payments. */
  returned: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

interface Span {
  from: Date;
  to: Date;
}

/** SQL: the day of a time, as `2026-10-31`. */
const dayOf = (time: Prisma.Sql) => Prisma.sql`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

const MONTH = "2026-10".length;

/**
 * Lists payments, from `orders` by `paid_at`, and from `subscription_periods` by `paid_at`, or where the provider didn't
 * say it, by when the payment was noted. Amounts hold the tax that the buyer paid.
 */
function listPaid({ from, to }: Span, db: DatabaseOrTransaction) {
  return db.$queryRaw<Omit<Revenue, "returned">[]>`
    SELECT left(${dayOf(Prisma.sql`at`)}, ${MONTH}) AS month, product, currency, sum(amount)::float8 AS paid
    FROM (
      SELECT paid_at AS at, sku_key AS product, currency, amount FROM orders WHERE paid_at IS NOT NULL
      UNION ALL
      SELECT coalesce(paid_at, created_at), ${productOf(Prisma.sql`paid`)}, currency, amount
      FROM subscription_periods paid WHERE kind <> 'trial' AND amount IS NOT NULL
    ) AS sale
    WHERE at >= ${from}::timestamptz AND at < ${to}::timestamptz GROUP BY 1, 2, 3`;
}

interface DatedReturn extends ReturnRow {
  saleId: string;
  provider: PaymentProviderName;
  product: string;
  /** The sale's, as is `saleReturned`. */
  saleCurrency: string;
  /** Minor units of the sale's payment that are away, as its order or period says. */
  saleReturned: number;
  day: string;
  /** Whether it was made in the time that is asked for. */
  isWithin: boolean;
}

/** All returns of the sales of which something went back in this time, each sale's in order. */
function listReturns({ from, to }: Span, db: DatabaseOrTransaction): Promise<DatedReturn[]> {
  const at = Prisma.sql`coalesce(provider_at, heard_at)`;
  const isWithin = Prisma.sql`(${at} >= ${from}::timestamptz AND ${at} < ${to}::timestamptz)`;
  const COLUMNS = Prisma.sql`provider_return_id AS "providerReturnId", returned.kind, state,
    returned.provider_payment_id AS "providerPaymentId", returned.amount::float8, returned.provider,
    charged_amount::float8 AS "chargedAmount", returned.currency, ${dayOf(at)} AS day,
    ${isWithin} AS "isWithin"`;
  return db.$queryRaw`
    WITH sale AS (
      SELECT DISTINCT order_id, period_id FROM payment_returns
      WHERE ${isWithin}
    )
    SELECT * FROM (
      SELECT ${COLUMNS}, ${IS_ORDER_TOTAL} AS "isTotal", order_id AS "saleId", orders.sku_key AS product,
        orders.currency AS "saleCurrency", ${at} AS at,
        least(orders.amount, amount_refunded + amount_disputed)::float8 AS "saleReturned"
      FROM payment_returns returned JOIN orders ON orders.id = order_id
      WHERE order_id IN (SELECT order_id FROM sale) AND orders.paid_at IS NOT NULL
      UNION ALL
      SELECT ${COLUMNS}, ${IS_PERIOD_TOTAL}, period_id, ${productOf(Prisma.sql`paid`)}, paid.currency, ${at},
        amount_returned::float8
      FROM payment_returns returned JOIN subscription_periods paid ON paid.id = period_id
      WHERE period_id IN (SELECT period_id FROM sale) AND paid.amount IS NOT NULL
    ) AS dated
    ORDER BY "saleId", at, "providerReturnId" NULLS LAST`;
}

/**
 * Divides what is away of one sale, in its own currency, among its returns in their order: each counts what it says, until
 * the sum is the one that the order or the period holds. A refund that failed and a dispute that was won count nothing.
 */
function divideReturned(
  rows: readonly DatedReturn[],
): Pick<DatedReturn, "day" | "isWithin" | "product" | "saleCurrency" | "amount">[] {
  const parts: ReturnType<typeof divideReturned> = [];
  let left = rows[0]?.saleReturned ?? 0;
  for (const row of rows) {
    const { day, isWithin, product, saleCurrency, provider } = row;
    const away = AWAY.includes(row.state) ? row.amount : 0;
    const said = row.providerReturnId === null ? unexplained(row, rows, provider) : away;
    if (said <= 0) continue;
    const isComparable = row.currency === saleCurrency;
    const amount = isComparable ? Math.min(said, left) : left;
    left -= amount;
    parts.push({ day, isWithin, product, saleCurrency, amount });
  }
  // The share of an invoice with several payments isn't the sum of what each return says.
  const last = parts.at(-1);
  if (last) last.amount += left;
  return parts;
}

/** Minor units that went back on one day, of one product. */
interface Returned {
  day: string;
  product: string;
  currency: string;
  returned: number;
}

async function listReturned(span: Span, db: DatabaseOrTransaction): Promise<Returned[]> {
  const bySale = new Map<string, DatedReturn[]>();
  for (const row of await listReturns(span, db)) {
    const known = bySale.get(row.saleId);
    if (known) known.push(row);
    else bySale.set(row.saleId, [row]);
  }
  return [...bySale.values()]
    .flatMap(divideReturned)
    .filter(({ isWithin }) => isWithin)
    .map(({ day, product, saleCurrency: currency, amount: returned }) => {
      return { day, product, currency, returned };
    });
}

/** The returns of these days, with the sum that each counts. */
export function listReturnedDays(
  { first, last }: Days,
  db: DatabaseOrTransaction,
): Promise<Returned[]> {
  const to = new Date(Date.parse(last) + DAY_MS);
  return listReturned({ from: new Date(first), to }, db);
}

/**
 * Revenue by month, product and currency, in this time, from the rows themselves: the report's. A return counts in the month in which the provider made it, or in
 * which it was heard of where the provider doesn't say it, as far as it is away today: a dispute that is won later isn't in
 * its month any more. Returns whose payment nobody here knows are no product's (`npm run billing -- returns`).
 */
export async function listRevenue(
  span: Span,
  db: DatabaseOrTransaction = getDb(),
): Promise<Revenue[]> {
  const revenue = new Map<string, Revenue>();
  const at = (month: string, product: string, currency: string) => {
    const key = `${month} ${currency} ${product}`;
    const known = revenue.get(key) ?? { month, product, currency, paid: 0, returned: 0 };
    revenue.set(key, known);
    return known;
  };
  for (const { month, product, currency, paid } of await listPaid(span, db))
    at(month, product, currency).paid += paid;
  for (const { day, product, currency, returned } of await listReturned(span, db))
    at(day.slice(0, MONTH), product, currency).returned += returned;
  return [...revenue].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, known]) => known);
}
