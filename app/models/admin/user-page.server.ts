import { type Database, getDb } from "~/db.server";
import { listApiKeys } from "~/models/accounts/api-keys.server";
import { getFactorSummary } from "~/models/accounts/factors.server";
import { listSessions } from "~/models/accounts/sessions.server";
import { listDeliveriesWith, listEmailsOf, listJobsOf } from "~/models/admin/user-work.server";
import { withAudit } from "~/models/audit/audit-log.server";
import { listAuditRows } from "~/models/audit/audit-rows.server";
import { listKept } from "~/models/billing/returns/known-returns.server";
import { getBalance } from "~/models/credits/balance.server";
import { listTransactions } from "~/models/credits/story.server";
import { listLots } from "~/models/credits/transactions.server";
import { accountOf } from "~/models/metering/runs.server";
import { listRejections } from "~/models/webhooks/rejections.server";

/** Rows of each kind that the page shows, the newest. */
const ROWS = 30;

/**
 * Reads what an admin sees of a person, and notes in the audit log that they looked. Prompts, texts and pictures are no part
 * of it. Null if there is no such person. `cursor`: the movements older than this one; null for the newest.
 */
export async function lookAtUser(
  { cursor = null, ...look }: Look & { cursor?: string | null },
  db: Database = getDb(),
) {
  const { userId } = look;
  const user = await noteLook(look, db);
  if (!user) return null;
  const money = await readMoney(userId, db);
  const ids = namesAtProviders({ userId, ...money });
  const [factors, sessions, credits, runs, keys, work, audit] = await Promise.all([
    getFactorSummary(userId, db),
    listSessions(userId, db),
    readCredits({ userId, cursor }, db),
    readRuns(userId, db),
    listApiKeys(userId, db),
    readWork({ userId, ids }, db),
    listAuditRows({ userId, limit: ROWS }, db),
  ]);
  return { user, factors, sessions, ...money, ...credits, runs, keys, ...work, audit };
}

interface Look {
  actor: string;
  userId: string;
}

/** Reads who a person is, and notes that an admin looked. Null if there is no such person. */
export function noteLook({ actor, userId }: Look, db: Database = getDb()) {
  return withAudit(async (transaction) => {
    const found = await transaction.user.findUnique({
      where: { id: userId },
      omit: { passwordHash: true },
    });
    const entry = { actor, action: "user_viewed", subjectUserId: userId } as const;
    return { result: found, entry: found ? entry : null };
  }, db);
}

export type UserPage = NonNullable<Awaited<ReturnType<typeof lookAtUser>>>;

async function readCredits(
  { userId, cursor }: { userId: string; cursor: string | null },
  db: Database,
) {
  const [balance, lots, { transactions, nextCursor }] = await Promise.all([
    getBalance(userId, db),
    listLots(userId, db),
    listTransactions({ userId, cursor }, db),
  ]);
  return { balance, lots, movements: transactions, nextCursor };
}

async function readMoney(userId: string, db: Database) {
  const newest = { orderBy: { createdAt: "desc" }, take: ROWS } as const;
  const [orders, subscriptions] = await Promise.all([
    db.order.findMany({ where: { userId }, ...newest }),
    db.subscription.findMany({
      where: { userId },
      ...newest,
      include: { periods: { orderBy: { startsAt: "desc" }, take: 3 } },
    }),
  ]);
  return { orders, subscriptions };
}

function readRuns(userId: string, db: Database) {
  return db.meteredRun.findMany({
    where: { accountId: accountOf({ id: userId }) },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: ROWS,
    select: {
      id: true,
      action: true,
      status: true,
      provider: true,
      creditsReserved: true,
      creditsCharged: true,
      error: true,
      createdAt: true,
      settledAt: true,
    },
  });
}

async function readWork({ userId, ids }: { userId: string; ids: string[] }, db: Database) {
  const [emails, jobs, deliveries, rejections, kept] = await Promise.all([
    listEmailsOf({ userId, limit: ROWS }, db),
    listJobsOf({ userId, limit: ROWS }, db),
    listDeliveriesWith({ ids, limit: ROWS }, db),
    listRejections({ limit: 5 }, db),
    listKept({ limit: ROWS }, db),
  ]);
  // Nobody knows whose a kept return is, so each person's page has them all.
  return { emails, jobs, deliveries, rejections, kept };
}

/** The ids by which a provider's events name a person, as their page finds these events. */
export async function listNames(userId: string, db: Database = getDb()): Promise<string[]> {
  return namesAtProviders({ userId, ...(await readMoney(userId, db)) });
}

type Money = Awaited<ReturnType<typeof readMoney>>;

/** The ids by which a provider's event names the person or what they bought. */
function namesAtProviders({ userId, orders, subscriptions }: Money & { userId: string }): string[] {
  const ids = [
    userId,
    ...orders.flatMap(({ providerCheckoutId, providerPaymentId }) => [
      providerCheckoutId,
      providerPaymentId,
    ]),
    ...subscriptions.flatMap(({ providerSubscriptionId, providerCustomerId }) => [
      providerSubscriptionId,
      providerCustomerId,
    ]),
  ];
  return [...new Set(ids.filter((id) => id !== null))];
}
