import type pg from "pg";

export interface MigrationSession {
  client: pg.Client;
  /** Milliseconds a statement may wait for a lock; 0 is unlimited. */
  lockTimeoutMs: number;
}

/** Sets how many milliseconds a statement may wait for a lock before it fails; 0 is unlimited. */
export async function setLockTimeout(client: pg.Client, milliseconds: number): Promise<void> {
  await client.query("SELECT set_config('lock_timeout', $1, false)", [`${milliseconds}ms`]);
}

/** Resets what a migration set for its session (search path, role, timeouts). */
export async function resetSession(client: pg.Client): Promise<void> {
  await client.query("RESET SESSION AUTHORIZATION; RESET ROLE; RESET ALL");
}
