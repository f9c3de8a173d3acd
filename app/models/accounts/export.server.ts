import { type Database, getDb } from "~/db.server";
import { listSessions } from "~/models/accounts/sessions.server";
import { listGenerations } from "~/models/images/generations.server";

/** More than anybody has; what is written may still be long, and is made in one piece. */
const ALL = 1_000_000;

/**
 * All that is kept about a user, as of one moment, for them to take away. Left out are secrets (hashes
 * of password and tokens) and what says nothing of them (leases, counters, our own bookkeeping).
 */
export function exportAccount(userId: string, db: Database = getDb()) {
  // Repeatable read: the parts are read one after the other, and are to fit each other.
  return db.$transaction(
    async (transaction) => {
      const where = { userId };
      const orderBy = { createdAt: "asc" } as const;
      const profile = await transaction.user.findUniqueOrThrow({
        where: { id: userId },
        select: {
          id: true,
          email: true,
          emailVerifiedAt: true,
          name: true,
          locale: true,
          createdAt: true,
        },
      });
      const signInProviders = await transaction.oauthAccount.findMany({
        where,
        orderBy,
        select: { provider: true, providerAccountId: true, createdAt: true },
      });
      const files = await transaction.file.findMany({
        where: { ...where, deletedAt: null },
        orderBy,
        select: {
          id: true,
          filename: true,
          contentType: true,
          size: true,
          access: true,
          status: true,
          key: true,
          createdAt: true,
          confirmedAt: true,
        },
      });
      const account = await transaction.creditAccount.findUnique({
        where,
        select: { balance: true },
      });
      const transactions = await transaction.creditTransaction.findMany({
        where,
        orderBy: { id: "asc" },
        omit: { userId: true },
      });
      const orders = await transaction.order.findMany({ where, orderBy, omit: { userId: true } });
      const subscriptions = await transaction.subscription.findMany({
        where,
        orderBy,
        omit: { userId: true },
      });
      return {
        profile,
        sessions: await listSessions(userId, transaction),
        signInProviders,
        files,
        credits: {
          balance: account?.balance ?? 0,
          transactions: transactions.map(({ id, ...row }) => ({ id: String(id), ...row })),
        },
        generations: await listGenerations({ userId, limit: ALL }, transaction),
        orders,
        subscriptions,
      };
    },
    { isolationLevel: "RepeatableRead", timeout: 30_000 },
  );
}
