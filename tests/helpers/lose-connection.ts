import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { vi } from "vitest";
import type { Database } from "~/db.server";

interface Loss {
  /** Which statement loses its connection, from 1. */
  nth: number;
  /** `unsent`: the server never sees it. `unheard`: it may run to its end, and nobody hears of it. */
  how: "unsent" | "unheard";
}

/** Does the work, and cuts the connection of its nth statement. Returns the failure if there was one. */
export async function losing(
  { nth, how }: Loss,
  db: Database,
  work: () => Promise<unknown>,
): Promise<Error | null> {
  const original = pg.Client.prototype.query as (...values: unknown[]) => unknown;
  let count = 0;
  const query = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...values: unknown[]
  ) {
    count += 1;
    const { stream } = (this as unknown as { connection: { stream: { destroy(): void } } })
      .connection;
    if (count === nth && how === "unsent") stream.destroy();
    const result = original.apply(this, values);
    if (count === nth && how === "unheard") setImmediate(() => stream.destroy());
    return result as never;
  });
  try {
    await work();
    return null;
  } catch (error) {
    return error as Error;
  } finally {
    query.mockRestore();
    await untilQuiet(db);
  }
}

/** Waits until no statement runs on the database but its own. */
async function untilQuiet(db: Database): Promise<void> {
  for (;;) {
    const [row] = await db.$queryRaw<{ busy: number }[]>`
      SELECT count(*)::int AS busy FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`;
    if (row?.busy === 0) return;
    await wait(5);
  }
}
