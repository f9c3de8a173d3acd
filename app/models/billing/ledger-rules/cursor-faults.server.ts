import type { DatabaseOrTransaction } from "~/db.server";
import { findNextGrant } from "~/models/billing/periods/next-grant";
import {
  groupPeriods,
  hasShares,
  listPeriodSales,
  monthlyCredits,
} from "~/models/billing/periods/periods.server";
import type { LedgerFault } from "~/models/credits/rule-set";

/** Less than this is how providers and PostgreSQL round a time. */
const TOLERANCE_MS = 1000;

interface Running {
  id: string;
  userId: string;
  nextGrantAt: Date | null;
}

/**
 * Compares when running subscriptions are granted next with their periods. One that is put off gets no
 * month that was paid for, and no other rule sees it.
 */
export async function listCursorFaults(
  userIds: string[],
  db: DatabaseOrTransaction,
): Promise<LedgerFault[]> {
  const running = await db.$queryRaw<Running[]>`
    SELECT id, user_id AS "userId", next_grant_at AS "nextGrantAt" FROM subscriptions
    WHERE user_id = ANY (${userIds}::uuid[]) AND status IN ('active', 'trialing')
    ORDER BY user_id, id`;
  if (running.length === 0) return [];
  const ids = running.map(({ id }) => id);
  const periods = groupPeriods(await listPeriodSales(ids, db));
  return running.flatMap(({ id, userId, nextGrantAt }) => {
    const own = periods.get(id) ?? [];
    const next = own.every(hasShares) ? findNextGrant(own, monthlyCredits) : null;
    if (!next?.lot) return [];
    const isRight = nextGrantAt && Math.abs(+nextGrantAt - +next.nextGrantAt) < TOLERANCE_MS;
    if (isRight) return [];
    const stored = nextGrantAt?.toISOString() ?? "never";
    const detail = `subscription ${id} is granted next at ${stored}, its periods say ${next.nextGrantAt.toISOString()}`;
    return [{ rule: "next-grant", userId, transactionId: null, detail }];
  });
}
