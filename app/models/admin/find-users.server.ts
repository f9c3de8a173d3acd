import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { PAYMENT_PROVIDER_NAMES } from "~/env/payments";
import { Prisma } from "~/generated/prisma/client";
import { withAudit } from "~/models/audit/audit-log.server";
import { idsOfNumber } from "~/utils/order-number";
import { isUuid } from "~/utils/uuid";

export interface FoundUser {
  id: string;
  email: string;
  createdAt: Date;
  disabled: boolean;
}

const MOST = 20;
const KEY = /^rcs_[a-z]+_/;

/** How a text names a person. */
function kindOf(text: string) {
  if (text.includes("@")) return "address";
  if (KEY.test(text)) return "key";
  if (idsOfNumber(text)) return "number";
  return "id";
}

/**
 * Finds people for an admin, and notes in the audit log whom they found, by what kind of text: never the text itself, which may
 * be an address.
 */
export function searchUsers(
  { actor, text }: { actor: string; text: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<FoundUser[]> {
  return withAudit(async (transaction) => {
    const users = await findUsers(text, transaction);
    const found = users.map(({ id }) => id);
    const subjectUserId = found.length === 1 ? found[0] : null;
    const after = { by: kindOf(text), found };
    return { result: users, entry: { actor, action: "people_searched", subjectUserId, after } };
  }, db);
}

/**
 * Finds people by an address, the number on a receipt, or by an id of theirs, here or at the provider: user, order, subscription, run, API key or its
 * beginning, customer, checkout, payment, invoice.
 */
function findUsers(text: string, db: DatabaseOrTransaction): Promise<FoundUser[]> {
  const id = isUuid(text) ? text : null;
  const prefix = KEY.test(text) ? text : null;
  const numbered = idsOfNumber(text);
  const hasNumber = (column: Prisma.Sql) =>
    Prisma.sql`${column} BETWEEN ${numbered?.first ?? null}::uuid AND ${numbered?.last ?? null}::uuid`;
  const providers = [...PAYMENT_PROVIDER_NAMES];
  const ofPeriod = Prisma.sql`
    FROM subscription_periods paid JOIN subscriptions ON subscriptions.id = paid.subscription_id`;
  return db.$queryRaw`
    SELECT id, email, created_at AS "createdAt", disabled_at IS NOT NULL AS disabled
    FROM users WHERE id IN (
      SELECT id FROM users WHERE email = ${text.toLowerCase()} OR id = ${id}::uuid
      UNION SELECT user_id FROM orders WHERE ${hasNumber(Prisma.sql`id`)}
      UNION SELECT user_id ${ofPeriod} WHERE ${hasNumber(Prisma.sql`paid.id`)}
      UNION SELECT user_id FROM orders WHERE id = ${id}::uuid OR provider = ANY (${providers})
        AND (provider_checkout_id = ${text} OR provider_payment_id = ${text})
      UNION SELECT user_id FROM subscriptions WHERE id = ${id}::uuid OR provider = ANY (${providers})
        AND (provider_subscription_id = ${text} OR provider_customer_id = ${text})
      UNION SELECT user_id ${ofPeriod}
        WHERE paid.provider = ANY (${providers}) AND paid.provider_payment_id = ${text}
      UNION SELECT user_id ${ofPeriod} JOIN invoice_payments link USING (provider_payment_id)
        WHERE link.provider = ANY (${providers}) AND link.provider_intent_id = ${text}
      UNION SELECT account_id FROM metered_runs WHERE id = ${id}::uuid
      UNION SELECT account_id FROM api_keys WHERE id = ${id}::uuid OR prefix = ${prefix})
    ORDER BY created_at LIMIT ${MOST}`;
}
