import { type DatabaseOrTransaction, getDb } from "~/db.server";

/** Sums of the ledger's rows of some hours, in credits, and the rest in all accounts. */
export interface DayFigures {
  sold: number;
  granted: number;
  /** Net of refunds. */
  spent: number;
  newUsers: number;
}

/**
 * The figures of today (UTC) and of the same hours yesterday, and the credits outstanding. From the ledger's newest rows:
 * their ids grow with their time, so the first one of a day is found by halving.
 */
export async function getDayFigures(
  db: DatabaseOrTransaction = getDb(),
): Promise<{ today: DayFigures; yesterday: DayFigures; outstanding: number }> {
  const now = new Date();
  const midnight = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
  const daysBefore = (time: Date, days: number) => new Date(time.getTime() - days * 86_400_000);
  const between = (from: Date, to: Date) => readFigures({ from, to }, db);
  const [today, yesterday] = [
    await between(midnight, now),
    await between(daysBefore(midnight, 1), daysBefore(now, 1)),
  ];
  const [sum] = await db.$queryRaw<{ credits: bigint }[]>`
    SELECT coalesce(sum(balance), 0)::bigint AS credits FROM credit_accounts`;
  return { today, yesterday, outstanding: Number(sum?.credits ?? 0) };
}

async function readFigures(
  { from, to }: { from: Date; to: Date },
  db: DatabaseOrTransaction,
): Promise<DayFigures> {
  const [first, last] = [await firstRowSince(from, db), await firstRowSince(to, db)];
  const [row] = await db.$queryRaw<Record<keyof DayFigures, bigint>[]>`
    SELECT coalesce(sum(amount) FILTER (WHERE source LIKE 'order:%'), 0)::bigint AS sold,
      coalesce(sum(amount) FILTER (WHERE type = 'grant' AND source NOT LIKE 'order:%'), 0)::bigint AS granted,
      coalesce(-sum(amount) FILTER (WHERE type IN ('deduction', 'refund')), 0)::bigint AS spent,
      (SELECT count(*) FROM users WHERE created_at >= ${from} AND created_at < ${to})::bigint AS "newUsers"
    FROM credit_transactions WHERE id >= ${first} AND id < ${last}`;
  if (!row) throw new Error("an aggregate gave no row");
  return {
    sold: Number(row.sold),
    granted: Number(row.granted),
    spent: Number(row.spent),
    newUsers: Number(row.newUsers),
  };
}

/** The id of the first row at or after a time; one above all ids if there is none. */
async function firstRowSince(time: Date, db: DatabaseOrTransaction): Promise<bigint> {
  const [ends] = await db.$queryRaw<{ low: bigint; high: bigint }[]>`
    SELECT coalesce(min(id), 1)::bigint AS low, coalesce(max(id), 0)::bigint + 1 AS high
    FROM credit_transactions`;
  let { low, high } = ends ?? { low: 1n, high: 1n };
  while (low < high) {
    const middle = (low + high) / 2n;
    // Ids have gaps.
    const [row] = await db.$queryRaw<{ id: bigint; isBefore: boolean }[]>`
      SELECT id, created_at < ${time} AS "isBefore" FROM credit_transactions
      WHERE id >= ${middle} ORDER BY id LIMIT 1`;
    if (row?.isBefore) low = row.id + 1n;
    else high = middle;
  }
  return low;
}
