import { conclude, pass, skip, warning } from "./check";
import type { Configuration } from "./configuration";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

/**
 * Statuses that can still send events; an `incomplete` subscription never started, and others have
 * ended.
 */
const LIVE = ["trialing", "active", "past_due", "unpaid", "paused"];

/**
 * Finds subscriptions of an inactive provider: its webhooks are refused, because only the active one's
 * are verified.
 */
export function checkInactiveProvider({ env: { payments } }: Configuration): DatabaseCheck {
  const id = "payments.inactive-provider";
  return {
    id,
    async run(client) {
      if (!(await hasTable(client, "subscriptions")))
        return skip(id, "there is no table subscriptions yet");
      const active = payments.enabled ? payments.provider : null;
      const { rows } = await client.query<{ provider: string; live: number }>(
        `SELECT provider::text, count(*)::int AS live FROM subscriptions
         WHERE status::text = ANY ($1) AND provider::text IS DISTINCT FROM $2
         GROUP BY provider ORDER BY provider`,
        [LIVE, active],
      );
      const findings = rows.map(({ provider, live }) =>
        warning(
          `${live} live subscription${live === 1 ? "" : "s"} at ${provider}, which is not the active provider: webhooks about them are refused`,
          "see docs/preflight.md on changing the payment provider",
        ),
      );
      return conclude(id, findings, pass(id, "every live subscription is at the active provider"));
    },
  };
}
