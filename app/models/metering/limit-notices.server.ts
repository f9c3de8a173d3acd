import type { DatabaseOrTransaction, Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { queueEmail } from "~/models/emails/outbox.server";
import { noteCrossings } from "~/models/metering/crossings.server";
import {
  type Counted,
  findReachedLimit,
  LIMIT_MARKS,
  type LimitReached,
  limitsInUse,
} from "~/models/metering/limits.server";

/** A run was refused by a limit of which little is left: credits come in steps, so 100 % may never be used. */
const REFUSED = "limit_refused";
const [EARLY, FULL] = LIMIT_MARKS;

/** The outcome of a crossing. `armed`: nobody was told, and the next spend crosses again. `waits`: it is told later. */
export type Told = "told" | "armed" | "waits";

export interface LimitCrossing {
  id: string;
  accountId: string;
  /** `limit_80`, `limit_100`, `limit_refused` */
  watcher: string;
  /** The key whose limit it is; null for the account's. */
  apiKeyId: string | null;
  month: Date;
}

/**
 * Returns the limit that refuses so many more credits; null if there is none any more. If most of it is used, its owner gets the
 * email that they would get at 100 %.
 */
export async function refuseByLimit(
  counted: Counted,
  db: DatabaseOrTransaction,
): Promise<LimitReached | null> {
  const reached = await findReachedLimit(counted, db);
  if (!reached || reached.used * 100 < reached.limit * EARLY) return reached;
  await db.$executeRaw`
    WITH limits AS (${limitsInUse(counted)})${noteCrossings(Prisma.sql`
      SELECT ${counted.accountId}::uuid, ${REFUSED}, key, month FROM limits WHERE scope = ${reached.scope}`)}
    SELECT 1`;
  return reached;
}

/**
 * Writes the email that tells of a limit's use, in the job of its crossing, with the account locked. At most one of each
 * percent in a month, by its key in the outbox, and none of 80 % after the one of 100 %. Nobody is told if the use is below
 * again: a run was refunded, or the limit was raised.
 */
export async function tellOfLimit(
  { accountId, watcher, apiKeyId, month }: LimitCrossing,
  transaction: Transaction,
): Promise<Told> {
  const counted = { accountId, apiKeyId, createdAt: month };
  const scope = apiKeyId === null ? "account" : "key";
  const [found] = await transaction.$queryRaw<{ limit: number; used: number }[]>`
    SELECT "limit", used FROM (${limitsInUse(counted)}) AS limits WHERE scope = ${scope}`;
  if (!found) return "armed";
  const isRefused = watcher === REFUSED;
  const percent = watcher === `limit_${EARLY}` ? EARLY : FULL;
  const { limit, used } = found;
  if (used * 100 < limit * (isRefused ? EARLY : percent)) return "armed";
  const day = month.toISOString().slice(0, 10);
  const keyOf = (told: number) =>
    `monthly_limit:${accountId}:${apiKeyId ?? "account"}:${day}:${told}`;
  if (percent === EARLY) {
    if ((await transaction.outboxEmail.count({ where: { key: keyOf(FULL) } })) > 0) return "told";
    // The email of the other mark is enough. If a refund comes before it is written, this mark is crossed again.
    if (used >= limit) return "armed";
  }
  await queueEmail(
    {
      kind: "monthly_limit",
      // A person's account has the person's id.
      userId: accountId,
      data: { apiKeyId, percent, limit, used, month: day },
      key: keyOf(percent),
    },
    transaction,
  );
  return "told";
}
