import type pg from "pg";

/** What a migration has set for its session (search path, role, timeouts) ends with it. */
export const RESET_SESSION = "RESET SESSION AUTHORIZATION; RESET ROLE; RESET ALL";

/** Milliseconds a statement may wait for a lock before it fails; 0 is for ever. */
export async function setLockTimeout(client: pg.Client, milliseconds: number): Promise<void> {
  await client.query("SELECT set_config('lock_timeout', $1, false)", [`${milliseconds}ms`]);
}
