import pg from "pg";
import { placeOf } from "./failing-statement";
import {
  describeLeftovers,
  type InvalidIndex,
  listInvalidIndexes,
  mentions,
} from "./invalid-indexes";
import { type MigrationSession, resetSession, setLockTimeout } from "./migration-session";
import type { MigrationFile } from "./migrations-folder";
import { splitStatements } from "./sql-statements";
import { failureAt, statementFailure } from "./statement-failure";
import { recordMigration } from "./tracker-table";

/**
 * Executes a `-- no-transaction` file: one statement that PostgreSQL refuses inside a transaction. A
 * second step records it. A run interrupted between the two leaves the statement done and the file
 * pending, and the next run executes it again. So it must be safe to run twice (`IF NOT EXISTS`); if it
 * isn't, the error message says so.
 */
export async function applyAlone(session: MigrationSession, file: MigrationFile): Promise<void> {
  const { client, lockTimeoutMs } = session;
  // CONCURRENTLY waits for older transactions and blocks nobody, so a timeout would only leave an invalid
  // index. Every other statement makes others queue behind it, so it keeps the timeout.
  const blocksNobody = /\bconcurrently\b/i.test(file.sql);
  await setLockTimeout(client, blocksNobody ? 0 : lockTimeoutMs);

  const before = await listInvalidIndexes(client);
  const { command } = await runSingleStatement(client, file).catch(async (error) => {
    throw await singleStatementFailure(client, file, error, before);
  });
  if (!command) throw failureAt(file, null, "it holds no statement");

  await resetSession(client);
  // IF NOT EXISTS accepts the invalid index that a failed build left.
  const invalid = (await listInvalidIndexes(client)).filter((index) => mentions(file.sql, index));
  if (invalid.length > 0) throw failureAt(file, null, `not recorded${describeLeftovers(invalid)}`);
  await recordMigration(client, file, null);
}

/** The extended protocol takes one statement; it refuses a second one before running the first. */
async function runSingleStatement(client: pg.Client, file: MigrationFile) {
  const query = { text: file.sql, queryMode: "extended" };
  return client.query(query);
}

async function singleStatementFailure(
  client: pg.Client,
  file: MigrationFile,
  error: unknown,
  invalidBefore: InvalidIndex[],
) {
  const SYNTAX_ERROR = "42601";
  const isSyntax = error instanceof pg.DatabaseError && error.code === SYNTAX_ERROR;
  const second = splitStatements(file.sql)[1];
  // A real syntax error has a position; the refusal of a second statement doesn't.
  if (isSyntax && error.position === undefined && second) {
    const message = "a `-- no-transaction` file holds exactly one statement; nothing of it was run";
    return failureAt(file, placeOf(file.sql, second), message);
  }
  const known = new Set(invalidBefore.map((index) => index.qualified));
  const after = await listInvalidIndexes(client).catch(() => []);
  const left = after.filter((index) => !known.has(index.qualified) || mentions(file.sql, index));
  return statementFailure(file, error, { completed: 0, afterword: describeLeftovers(left) });
}
