import pg from "pg";
import { expect, vi } from "vitest";
import type { Database, Transaction } from "~/db.server";

/** A transaction that did its work but is neither committed nor rolled back yet. */
interface HeldTransaction {
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** Does the work in a transaction that stays open, with its locks, until it is told how to end. */
export async function holdTransaction(
  db: Database,
  work: (transaction: Transaction) => Promise<unknown>,
): Promise<HeldTransaction> {
  let end: (how: "commit" | "rollback") => void = () => undefined;
  const ending = new Promise<"commit" | "rollback">((resolve) => {
    end = resolve;
  });
  const ROLLBACK = new Error("rolled back on purpose");
  let finished: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    finished = db
      .$transaction(
        async (transaction) => {
          await work(transaction);
          resolve();
          if ((await ending) === "rollback") throw ROLLBACK;
        },
        { timeout: 120_000 },
      )
      .catch((error) => {
        reject(error);
        if (error !== ROLLBACK) throw error;
      });
  });
  const endBy = async (how: "commit" | "rollback") => {
    end(how);
    await finished;
  };
  return { commit: () => endBy("commit"), rollback: () => endBy("rollback") };
}

/** Resolves once this many statements of this database wait for a lock. */
export async function untilWaiting(db: Database, statements = 1): Promise<void> {
  const countWaiting = async () => {
    const rows = await db.$queryRaw<unknown[]>`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return rows.length;
  };
  await expect.poll(countWaiting, { timeout: 60_000, interval: 10 }).toBe(statements);
}

type Query = (this: pg.Client, ...args: unknown[]) => Promise<unknown>;

/** Runs `work` once, after the first statement with this text and before the next statement. */
export function interject(text: string, work: () => Promise<unknown>): void {
  const query = pg.Client.prototype.query as Query;
  let isWaiting = true;
  const interrupted: Query = async function (...args) {
    const result = await query.apply(this, args);
    if (isWaiting && JSON.stringify(args).includes(text)) {
      isWaiting = false;
      await work();
    }
    return result;
  };
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(interrupted as never);
}
