import { type Database, getDb } from "~/db.server";
import { listPasskeys } from "~/models/accounts/passkeys.server";
import { countRecoveryCodes } from "~/models/accounts/recovery-codes.server";
import { listSessions } from "~/models/accounts/sessions.server";
import { pageUsage } from "~/models/accounts/usage.server";
import { ACTION_PARTS } from "~/models/actions/registry.server";
import { asOwnRow, readAuditRows } from "~/models/audit/audit-rows.server";
import { withNumberAmounts } from "~/models/billing/orders/orders.server";
import { pagePayments } from "~/models/billing/payments.server";
import { causeOf } from "~/models/credits/cause";
import { readLots } from "~/models/credits/lot-uses.server";
import { readStory } from "~/models/credits/story.server";
import { pageFiles } from "~/models/files/files.server";
import { accountOf } from "~/models/metering/runs.server";
import { readById, readPlaced } from "~/models/row-pages.server";
import { formatAmount } from "~/utils/money";

/**
 * Everything kept about a user, for their data export. Long lists are read row by row as they are
 * written. Left out are secrets (hashes of passwords and tokens), image data, which has URLs of its
 * own, and internal data that says nothing about the user (leases, counters, bookkeeping).
 *
 * Rows added after the export began are left out, so that the balance matches its transactions.
 */
export async function exportAccount(
  { userId, siteUrl }: { userId: string; siteUrl: URL },
  db: Database = getDb(),
) {
  const { at, until, balance, lastTransactionId } = await readSnapshot(userId, db);
  const where = { userId };
  const credits = { userId, until: String(lastTransactionId) };
  const oldestFirst = [{ createdAt: "asc" }, { id: "asc" }] as const;
  return {
    exportedAt: at,
    profile: await db.user.findUniqueOrThrow({
      where: { id: userId },
      select: {
        id: true,
        email: true,
        emailVerifiedAt: true,
        name: true,
        locale: true,
        mutedEmails: true,
        supportUntil: true,
        createdAt: true,
      },
    }),
    sessions: await listSessions(userId, db),
    signInProviders: await db.oauthAccount.findMany({
      where,
      orderBy: { createdAt: "asc" },
      select: {
        provider: true,
        providerAccountId: true,
        label: true,
        createdAt: true,
        lastUsedAt: true,
      },
    }),
    passkeys: await listPasskeys(userId, db),
    authenticatorApp: await db.totpFactor.findFirst({
      where: { userId, confirmedAt: { not: null } },
      select: { confirmedAt: true },
    }),
    apiKeys: await db.apiKey.findMany({
      where: { accountId: accountOf({ id: userId }) },
      orderBy: [...oldestFirst],
      omit: { accountId: true, actorId: true, tokenHash: true },
    }),
    ...(await readSettings(userId, db)),
    topUps: readTopUps(userId, db),
    usage: await readUsage(userId, db),
    recoveryCodesLeft: await countRecoveryCodes(userId, db),
    emails: await db.outboxEmail.findMany({
      where,
      orderBy: { createdAt: "asc" },
      select: { kind: true, recipient: true, createdAt: true, sentAt: true },
    }),
    files: readPlaced((position) => pageFiles({ userId, until, ...position }, db)),
    credits: {
      balance,
      transactions: readTransactions(credits, db),
      lots: readCreditLots(credits, db),
      repairs: readRepairs(userId, db),
    },
    runs: readPlaced((position) =>
      pageUsage({ userId: accountOf({ id: userId }), until, ...position }, db),
    ),
    ...actionParts({ userId, until, siteUrl }, db),
    orders: readOrders(userId, db),
    subscriptions: readById<string, { id: string }>(({ after, limit }) =>
      db.subscription.findMany({
        where,
        orderBy: [...oldestFirst],
        ...(after ? { cursor: { id: after }, skip: 1 } : {}),
        take: limit,
        omit: { userId: true, grantPeriodId: true },
      }),
    ),
    subscriptionPayments: readById<string, { id: string }>(({ after, limit }) =>
      pagePayments({ userId, after, limit }, db),
    ),
    refundsAndDisputes: readReturns(userId, db),
    auditLog: readAudit(userId, at, db),
  };
}

/** One statement, so that the balance matches the last transaction listed. */
async function readSnapshot(userId: string, db: Database) {
  const [snapshot] = await db.$queryRaw<
    { at: Date; until: string; balance: number; lastTransactionId: bigint }[]
  >`
    SELECT now() AS at, now()::text AS until,
      coalesce((SELECT balance FROM credit_accounts WHERE user_id = ${userId}::uuid), 0) AS balance,
      coalesce((SELECT max(id) FROM credit_transactions WHERE user_id = ${userId}::uuid), 0)
        AS "lastTransactionId"`;
  if (!snapshot) throw new Error("the snapshot gave no row");
  return snapshot;
}

/** Leaves out the operator of a correction, which is the name of somebody else. */
async function* readTransactions(credits: { userId: string; until: string }, db: Database) {
  for await (const row of readStory(credits, db)) {
    const { userId: _user, order: _o, period: _p, run: _r, expiredLotId: _l, ...own } = row;
    const reference = own.reference?.startsWith("operator:") ? null : own.reference;
    yield { ...own, reference, cause: causeOf(row) };
  }
}

/** The lots: where each came from, what is left of it and what it paid for. */
async function* readCreditLots(credits: { userId: string; until: string }, db: Database) {
  for await (const lot of readLots(credits, db)) {
    const { id, amount, remaining, expiresAt, createdAt, uses } = lot;
    yield { id, cause: causeOf(lot), amount, remaining, expiresAt, createdAt, uses };
  }
}

/** Leaves out the operator, which is the name of somebody else. */
async function* readRepairs(userId: string, db: Database) {
  const rows = readById(({ after, limit }: { after: bigint | null; limit: number }) =>
    db.creditRepair.findMany({
      where: { userId, id: { gt: after ?? 0n } },
      orderBy: { id: "asc" },
      take: limit,
      omit: { userId: true, operator: true },
    }),
  );
  for await (const { id, transactionId, ...row } of rows)
    yield { id: String(id), transactionId: transactionId && String(transactionId), ...row };
}

/** Reads the owner's settings: limits, and the terms of automatic top-up. Amounts are in minor units. */
async function readSettings(userId: string, db: Database) {
  const row = await db.accountSettings.findUnique({
    where: { accountId: accountOf({ id: userId }) },
    omit: { accountId: true, cardRequest: true },
  });
  if (!row) return { limits: null, topUp: null };
  const { monthlyLimit, lowBalanceCredits, monthlyAmount, agreedAmount, ...topUp } = row;
  return {
    limits: { monthlyLimit, lowBalanceCredits },
    topUp: topUp.threshold && {
      ...topUp,
      monthlyAmount: Number(monthlyAmount),
      agreedAmount: Number(agreedAmount),
    },
  };
}

/** The attempts at automatic top-up, whatever became of them. */
async function* readTopUps(userId: string, db: Database) {
  const rows = readById(({ after, limit }: { after: string | null; limit: number }) =>
    db.topUp.findMany({
      where: { accountId: accountOf({ id: userId }) },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      ...(after ? { cursor: { id: after }, skip: 1 } : {}),
      take: limit,
      omit: { accountId: true, crossingId: true },
    }),
  );
  for await (const row of rows) yield { ...row, amount: Number(row.amount) };
}

/** The costs of each month's runs: of all of them, and of those of each key. */
async function readUsage(userId: string, db: Database) {
  const months = await db.usageMonth.findMany({
    where: { accountId: accountOf({ id: userId }) },
    orderBy: [{ month: "asc" }, { id: "asc" }],
    omit: { id: true, accountId: true },
  });
  return months.map((row) => ({ ...row, credits: Number(row.credits) }));
}

/** Yields operators' acts on the account without their names, and the permissions that the person gave. */
async function* readAudit(userId: string, until: Date, db: Database) {
  for await (const row of readAuditRows({ userId, since: null, until }, db)) yield asOwnRow(row);
}

/** Refunds and disputes of the person's orders and subscription payments. */
async function* readReturns(userId: string, db: Database) {
  const rows = readById(({ after, limit }: { after: string | null; limit: number }) =>
    db.paymentReturn.findMany({
      where: { OR: [{ order: { userId } }, { period: { subscription: { userId } } }] },
      orderBy: [{ heardAt: "asc" }, { id: "asc" }],
      ...(after ? { cursor: { id: after }, skip: 1 } : {}),
      take: limit,
      select: {
        id: true,
        kind: true,
        state: true,
        provider: true,
        providerReturnId: true,
        orderId: true,
        periodId: true,
        amount: true,
        currency: true,
        providerAt: true,
        heardAt: true,
      },
    }),
  );
  // The payments above call a period's id `id`.
  for await (const { amount, periodId, ...row } of rows)
    yield { ...row, subscriptionPaymentId: periodId, amount: Number(amount) };
}

async function* readOrders(userId: string, db: Database) {
  const rows = readById(({ after, limit }: { after: string | null; limit: number }) =>
    db.order.findMany({
      where: { userId },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      ...(after ? { cursor: { id: after }, skip: 1 } : {}),
      take: limit,
      omit: { userId: true },
    }),
  );
  for await (const row of rows) {
    const order = withNumberAmounts(row);
    // The amounts are in minor units, which a reader of the file may not know for each currency.
    yield { ...order, total: formatAmount(order) };
  }
}

/** Each action's own rows of its runs, under its name. */
function actionParts(
  { userId, until, siteUrl }: { userId: string; until: string; siteUrl: URL },
  db: Database,
) {
  const accountId = accountOf({ id: userId });
  const parts = Object.values(ACTION_PARTS).map(({ exported: { name, page } }) => [
    name,
    readPlaced((position) => page({ userId: accountId, until, siteUrl, ...position }, db)),
  ]);
  return Object.fromEntries(parts) as Record<string, AsyncGenerator<object>>;
}
