import { creditsFor } from "~/catalog";
import { type Database, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { mainAction } from "~/models/actions/registry.server";
import { queueEmail } from "~/models/emails/outbox.server";

/**
 * Queues an email for each lot that expires within a week, once per lot. Short lots get none, such as
 * those that a refund revived, and neither does a lot of which less than a fifth is left, or too little
 * for a unit of the main action: those would be a monthly nuisance to people who use their plan. Returns the number queued.
 */
export async function announceExpiries(
  { limit }: { limit: number },
  db: Database = getDb(),
): Promise<number> {
  if (!getEnv().email) return 0;
  const action = mainAction();
  const lots = await db.$queryRaw<{ id: string; userId: string; amount: number; at: Date }[]>`
    SELECT lot.id::text, lot.user_id AS "userId", lot.remaining AS amount, lot.expires_at AS at
    FROM credit_transactions lot JOIN users ON users.id = lot.user_id
    WHERE lot.remaining > 0 AND lot.expires_at > now()
      AND lot.expires_at <= now() + interval '7 days'
      AND lot.expires_at - lot.created_at >= interval '14 days'
      AND lot.remaining * 5 >= lot.amount AND lot.remaining >= ${action ? creditsFor(action, 1) : 1}
      AND users.email_verified_at IS NOT NULL
      AND NOT 'credits_expiring' = ANY (users.muted_emails)
      AND NOT EXISTS (SELECT 1 FROM outbox_emails WHERE key = 'credits_expiring:' || lot.id)
    ORDER BY lot.expires_at LIMIT ${limit}`;
  for (const { id, userId, amount, at } of lots) {
    const data = { amount, at: at.toISOString() };
    const key = `credits_expiring:${id}`;
    await db.$transaction((transaction) =>
      queueEmail({ kind: "credits_expiring", userId, data, key }, transaction),
    );
  }
  return lots.length;
}
