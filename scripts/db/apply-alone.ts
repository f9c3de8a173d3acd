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
 * Executes a `-- no-transaction` file: one statement that PostgreSQL refuses inside a transaction.
 * Its record follows in a second step. A run that is cut off between the two leaves the statement
 * done and the file pending, so that the next run does it again: it must be able to run twice
 * (`IF NOT EXISTS`), and the message for one that cannot says so.
 */
export async function applyAlone(session: MigrationSession, file: MigrationFile): Promise<void> {
  const { client, lockTimeoutMs } = session;
  // CONCURRENTLY waits for older transactions while it blocks nobody: a timeout would only leave an
  // invalid index behind. Everything else has others queue behind it, and keeps the timeout.
  const blocksNobody = /\bconcurrently\b/i.test(file.sql);
  await setLockTimeout(client, blocksNobody ? 0 : lockTimeoutMs);

  const before = await listInvalidIndexes(client);
  const { command } = await runSingleStatement(client, file).catch(async (error) => {
    throw await singleStatementFailure(client, file, error, before);
  });
  if (!command) throw failureAt(file, null, "it holds no statement");

  await resetSession(client);
  // With IF NOT EXISTS the leftover of a failed build counts as the index; it is none.
  const invalid = (await listInvalidIndexes(client)).filter((index) => mentions(file.sql, index));
  if (invalid.length > 0) throw failureAt(file, null, `not recorded${describeLeftovers(invalid)}`);
  await recordMigration(client, file, null);
}

/** The extended protocol takes one statement and refuses a second before it runs the first. */
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
  // A real syntax error has a position; the refusal of a second statement has none.
  if (isSyntax && error.position === undefined && second) {
    const message = "a `-- no-transaction` file holds exactly one statement; nothing of it was run";
    return failureAt(file, placeOf(file.sql, second), message);
  }
  const known = new Set(invalidBefore.map((index) => index.qualified));
  const after = await listInvalidIndexes(client).catch(() => []);
  const left = after.filter((index) => !known.has(index.qualified) || mentions(file.sql, index));
  return statementFailure(file, error, { completed: 0, afterword: describeLeftovers(left) });
}
