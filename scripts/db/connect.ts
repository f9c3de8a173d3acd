import pg from "pg";
import { describeError } from "~/utils/describe-error";
import { redactSecrets, redactUrlCredentials } from "../lib/redact";
import { MigrationError } from "./migration-error";

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Runs `work` on a new session and closes it. Every failure is a MigrationError without credentials:
 * `connection` if the database can't be reached, `database` for other errors of the work.
 */
export async function withConnection<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect(databaseUrl);
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    throw new MigrationError("database", explain(databaseUrl, error));
  } finally {
    // The work's own result counts; the server may already have closed the session.
    await client.end().catch(() => undefined);
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  try {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: "migrations",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    // A lost connection rejects the running query; without a listener it would also crash the process.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  } catch (error) {
    const address = redactUrlCredentials(databaseUrl);
    const reason = explain(databaseUrl, error);
    const { code } = error as { code?: string };
    throw new MigrationError("connection", `cannot connect to ${address}: ${reason}`, { code });
  }
}

/** Only the message: an error about a malformed URL carries the URL in a property. */
function explain(databaseUrl: string, error: unknown): string {
  return redactSecrets(describeError(error), { DATABASE_URL: databaseUrl });
}
