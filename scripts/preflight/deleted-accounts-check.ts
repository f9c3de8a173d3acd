import type pg from "pg";
import { ORPHAN_PAYMENTS } from "~/models/billing/orphan-payments.server";
import { TOMBSTONE_PATTERN } from "~/utils/tombstone";
import { conclude, type Finding, pass, skip, warning } from "./check";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

const MOST_NAMED = 5;

/**
 * Finds subscriptions that go on charging somebody whose account was deleted, and payments that came after
 * the deletion.
 */
export function checkDeletedAccounts(): DatabaseCheck {
  const id = "payments.deleted-accounts";
  return {
    id,
    async run(client) {
      if (!(await hasTable(client, "subscriptions")))
        return skip(id, "there is no table subscriptions yet");
      const { rows } = await client.query<{ name: string; total: number }>(
        `SELECT s.provider || ' ' || s.provider_subscription_id AS name,
           (count(*) OVER ())::int AS total
         FROM subscriptions s JOIN users u ON u.id = s.user_id
         WHERE s.status::text <> 'canceled' AND NOT s.cancel_at_period_end
           AND u.email LIKE $1 AND u.password_hash IS NULL
         ORDER BY s.created_at DESC LIMIT ${MOST_NAMED}`,
        [TOMBSTONE_PATTERN],
      );
      const total = rows[0]?.total ?? 0;
      const names = rows.map(({ name }) => name).join(", ");
      const more = total > rows.length ? ", …" : "";
      const charged = warning(
        `${total} subscription${total === 1 ? "" : "s"} of deleted accounts may still be charged: ${names}${more}`,
        "run maintenance, which ends them at the provider; its log says what went wrong. Or end them in the provider's dashboard",
      );
      const findings = [...(total > 0 ? [charged] : []), ...(await findOrphanPayments(client))];
      return conclude(id, findings, pass(id, "no deleted account is charged"));
    },
  };
}

async function findOrphanPayments(client: pg.Client): Promise<Finding[]> {
  if (!(await hasTable(client, "payment_returns"))) return [];
  const { rows } = await client.query<{ name: string; total: number }>(
    `SELECT provider || ' ' || "paymentId" AS name, (count(*) OVER ())::int AS total
     FROM (${ORPHAN_PAYMENTS.text}) AS orphan ORDER BY at LIMIT ${MOST_NAMED}`,
    ORPHAN_PAYMENTS.values,
  );
  const total = rows[0]?.total ?? 0;
  if (total === 0) return [];
  const names = rows.map(({ name }) => name).join(", ");
  const more = total > rows.length ? ", …" : "";
  return [
    warning(
      `${total} payment${total === 1 ? "" : "s"} came after the account was deleted, and gave no credits: ${names}${more}`,
      "refund them in the provider's dashboard",
    ),
  ];
}
