import pg from "pg";
import { describeError } from "../lib/describe-error";
import { redactSecrets, redactUrlCredentials } from "../lib/redact";
import { MigrationError } from "./migration-error";

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Runs `work` on one session of its own and ends it. Whatever fails is a MigrationError without
 * credentials: `connection` when there is no database to speak to, `database` for what the work
 * does not explain itself.
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
    // The work's own outcome counts; a session that the server has ended already is ended enough.
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
    // A lost connection rejects the query under way; without a listener it would also end the process.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  } catch (error) {
    const address = redactUrlCredentials(databaseUrl);
    const reason = explain(databaseUrl, error);
    throw new MigrationError("connection", `cannot connect to ${address}: ${reason}`);
  }
}

/** Only the message: an error about a malformed URL carries that URL in a property. */
function explain(databaseUrl: string, error: unknown): string {
  return redactSecrets(describeError(error), { DATABASE_URL: databaseUrl });
}
