import pg from "pg";
import { onTestFinished } from "vitest";
import { freePort } from "../../scripts/lib/free-port";
import { startImageSandbox } from "../../scripts/sandbox/images/image-sandbox";
import { startPaymentSandbox } from "../../scripts/sandbox/payment-sandbox";
import { createImageControl } from "./image-sandbox";
import { createControl } from "./payments";
import { runScript } from "./run-script";
import { createServiceDatabase, startSystemPostgres } from "./system-postgres";
import { startTestServer, TEST_AUTH_SECRET, type TestServer } from "./test-server";

const SCRIPTS = {
  billing: "scripts/billing/billing.command.ts",
  "db:backup": "scripts/db/backup.command.ts",
  "db:restore": "scripts/db/restore.command.ts",
  ledger: "scripts/ledger/ledger.command.ts",
  preflight: "scripts/preflight/preflight.command.ts",
  users: "scripts/users/users.command.ts",
} as const;

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** An event in the log of the payment stand-in. */
export interface Sent {
  id: string;
  type: string;
  attempts: { status: number | null }[];
}

/**
 * Opens a shop as operators run it, until the test ends: a PostgreSQL with `pg_dump` from the folder `bin`,
 * the role of the checklist, one server at an address that stays, and stand-ins that deliver and retry by
 * themselves.
 */
export async function openShop(bin: string) {
  const postgres = await startSystemPostgres(bin);
  onTestFinished(() => postgres.stop());
  const databaseUrl = await createServiceDatabase(postgres);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const payments = await startPaymentSandbox({
    stripePort: 0,
    creemPort: 0,
    webhookUrl: `${url}/api/payments/webhook`,
  });
  onTestFinished(() => payments.stop());
  const images = await startImageSandbox({ port: 0 });
  onTestFinished(() => images.stop());
  const env = {
    ...payments.env,
    ...images.env,
    PATH: process.env.PATH ?? "",
    DATABASE_URL: databaseUrl,
    NEXT_PUBLIC_SITE_URL: url,
    AUTH_SECRET: TEST_AUTH_SECRET,
    CRON_SECRET: "cron-secret-for-tests-only",
    PORT: `${port}`,
  };
  const control = createControl(payments.controlUrls);
  let server: TestServer | undefined;
  const stop = async () => {
    await server?.stop();
    server = undefined;
  };
  onTestFinished(stop);
  return {
    url,
    postgres,
    images: createImageControl(images.controlUrl),
    async start() {
      server = await startTestServer(env);
    },
    stop,
    /** Runs an operator's command with the shop's environment. */
    run: (command: keyof typeof SCRIPTS, ...args: string[]) =>
      runScript(SCRIPTS[command], args, env),
    /** Runs a statement past the app. */
    async sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]> {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client
        .query<Row>(text, values)
        .then(({ rows }) => rows, raise)
        .finally(() => client.end());
    },
    /** Everything that exists at the provider. */
    async atProvider<State>(): Promise<State> {
      return (await control("stripe", "GET", "/state")).body as State;
    },
    order: (path: string, body?: object) => control("stripe", "POST", path, body),
    /** Every event of the provider, oldest first. */
    async listSent(): Promise<Sent[]> {
      return (await control("stripe", "GET", "/deliveries")).body as Sent[];
    },
  };
}

function raise(error: unknown): never {
  throw error;
}
