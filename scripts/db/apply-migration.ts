import type pg from "pg";
import { applyAlone } from "./apply-alone";
import { type MigrationSession, resetSession, setLockTimeout } from "./migration-session";
import type { MigrationFile } from "./migrations-folder";
import {
  failureAt,
  fileFailure,
  refuseTransactionControl,
  statementFailure,
} from "./statement-failure";
import { currentTransaction, recordMigration } from "./tracker-table";

/**
 * Executes one file and records it. If it throws MigrationError, the file left no change, except what a
 * `-- no-transaction` statement did before it failed.
 */
export async function applyMigration(
  session: MigrationSession,
  file: MigrationFile,
): Promise<void> {
  refuseTransactionControl(file);
  const apply = file.noTransaction ? applyAlone : applyInTransaction;
  await apply(session, file).catch((error) => {
    throw fileFailure(file, error);
  });
}

async function applyInTransaction(session: MigrationSession, file: MigrationFile): Promise<void> {
  const { client, lockTimeoutMs } = session;
  await setLockTimeout(client, lockTimeoutMs);
  await client.query("BEGIN");
  try {
    const transaction = await currentTransaction(client);
    await runWholeFile(client, file);
    await resetSession(client);
    if (!(await recordMigration(client, file, transaction))) {
      const message = "it ended its own transaction: what it did before may stay, unrecorded";
      throw failureAt(file, null, `${message}; compare the database with the file`);
    }
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
  await client.query("COMMIT");
}

/** Sends one simple query, so that the server decides where a statement ends. */
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
