import { TOMBSTONE_PATTERN } from "~/utils/tombstone";
import { conclude, pass, skip, warning } from "./check";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

const MOST_NAMED = 5;

/** Finds subscriptions that go on charging somebody whose account was deleted. */
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
      const finding = warning(
        `${total} subscription${total === 1 ? "" : "s"} of deleted accounts may still be charged: ${names}${more}`,
        "run maintenance, which ends them at the provider; its log says what went wrong. Or end them in the provider's dashboard",
      );
      return conclude(id, total > 0 ? [finding] : [], pass(id, "no deleted account is charged"));
    },
  };
}
