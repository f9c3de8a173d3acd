import type pg from "pg";
import { applyAlone } from "./apply-alone";
import type { MigrationFile } from "./migrations-folder";
import { RESET_SESSION, setLockTimeout } from "./session-settings";
import {
  commitFailure,
  failureAt,
  refuseTransactionControl,
  statementFailure,
} from "./statement-failure";
import { currentTransaction, recordMigration, type TrackerTable } from "./tracker-table";

export interface ApplyContext {
  client: pg.Client;
  tracker: TrackerTable;
  /** Milliseconds a statement may wait for a lock; 0 is for ever. */
  lockTimeoutMs: number;
}

/**
 * Executes one file and records it. Throws MigrationError; then nothing of the file is kept, except
 * what a `-- no-transaction` statement did before it failed.
 */
export async function applyMigration(context: ApplyContext, file: MigrationFile): Promise<void> {
  refuseTransactionControl(file);
  if (file.noTransaction) await applyAlone(context, file);
  else await applyInTransaction(context, file);
}

async function applyInTransaction(context: ApplyContext, file: MigrationFile): Promise<void> {
  const { client, tracker } = context;
  await setLockTimeout(client, context.lockTimeoutMs);
  await client.query("BEGIN");
  try {
    const transaction = await currentTransaction(client);
    await runWholeFile(client, file);
    await client.query(RESET_SESSION);
    if (!(await recordMigration(client, tracker, file, transaction))) {
      const message = "it ended its own transaction: what it did before may stay, unrecorded";
      throw failureAt(file, null, `${message}; compare the database with the file`);
    }
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
  await client.query("COMMIT").catch((error) => {
    throw commitFailure(file, error);
  });
}

/** One simple query, so that the server and not we decide where a statement ends. */
async function runWholeFile(client: pg.Client, file: MigrationFile): Promise<void> {
  let completed = 0;
  const count = () => {
    completed += 1;
  };
  client.connection.on("commandComplete", count);
  try {
    await client.query(file.sql);
  } catch (error) {
    throw statementFailure(file, error, { completed });
  } finally {
    client.connection.off("commandComplete", count);
  }
}
