import pg from "pg";
import { describeError } from "../lib/describe-error";
import { redactSecrets, redactUrlCredentials } from "../lib/redact";
import { MigrationError } from "./migration-error";

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Runs `work` on one session of its own and ends it. Throws MigrationError `connection`, without
 * credentials, when there is no database to speak to.
 */
export async function withConnection<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect(databaseUrl);
  try {
    return await work(client);
  } finally {
    // The work's own outcome counts; a session that the server has ended already is ended enough.
    await client.end().catch(() => undefined);
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  try {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: "db:migrate",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    // A lost connection rejects the query under way; without a listener it would also end the process.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  } catch (error) {
    // The cause is left out: an error about a malformed URL carries the whole URL.
    const reason = redactSecrets(describeError(error), { DATABASE_URL: databaseUrl });
    const address = redactUrlCredentials(databaseUrl);
    throw new MigrationError("connection", `cannot connect to ${address}: ${reason}`);
  }
}
