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

/**
 * Compares when running subscriptions are granted next with their periods. One that is put off gets no
 * month that was paid for, and no other rule sees it.
 */
export async function listCursorFaults(
  userIds: string[],
  db: DatabaseOrTransaction,
): Promise<LedgerFault[]> {
  const running = await db.subscription.findMany({
    where: { userId: { in: userIds }, status: { in: ["active", "trialing"] } },
    select: { id: true, userId: true, nextGrantAt: true },
    orderBy: [{ userId: "asc" }, { id: "asc" }],
  });
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
