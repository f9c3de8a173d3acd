import type { ServerUnderTest } from "./with-test-server";

export interface OutboxRow {
  id: string;
  kind: string;
  recipient: string;
  attempts: number;
  last_error: string | null;
  sent: boolean;
  /** Minutes until the next attempt; null if there will be none. */
  wait: number | null;
}

/** The person's emails, oldest first. */
export function outboxOf(app: Pick<ServerUnderTest, "sql">, email: string): Promise<OutboxRow[]> {
  return app.sql<OutboxRow & Record<string, unknown>>(
    `SELECT id, kind, recipient, attempts, last_error, sent_at IS NOT NULL AS sent,
       round(extract(epoch FROM next_attempt_at - now()) / 60)::int AS wait
     FROM outbox_emails WHERE user_id = (SELECT id FROM users WHERE email = $1)
     ORDER BY created_at, id`,
    [email],
  );
}

/** Makes every waiting email due now, whatever its backoff and whoever held its lease. */
export async function makeEmailsDue(app: Pick<ServerUnderTest, "sql">): Promise<void> {
  await app.sql(
    `UPDATE outbox_emails SET next_attempt_at = now(), lease_until = NULL
     WHERE next_attempt_at IS NOT NULL`,
  );
}
