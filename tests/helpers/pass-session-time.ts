import type { ServerUnderTest } from "./with-test-server";

/** Moves the last proofs of identity of the account's sessions back, as if the minutes had passed. */
export async function passSessionTime(
  { sql }: Pick<ServerUnderTest, "sql">,
  { email, minutes }: { email: string; minutes: number },
): Promise<void> {
  await sql(
    `UPDATE sessions s SET reauthenticated_at = reauthenticated_at - make_interval(mins => $2)
     FROM users u WHERE u.id = s.user_id AND u.email = $1`,
    [email, minutes],
  );
}
