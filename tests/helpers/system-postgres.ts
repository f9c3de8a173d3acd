import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { expect } from "vitest";
import { migrateDatabase } from "../../scripts/db/migrate";
import { splitStatements } from "../../scripts/db/sql-statements";
import { freePort } from "../../scripts/lib/free-port";

const DEBIAN = "/usr/lib/postgresql";

/**
 * The folder of this machine's own PostgreSQL server, whose version `pg_dump` on PATH can read; null if
 * there is none. The package of the embedded server has no `pg_dump`.
 */
export function findSystemPostgres(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => +b - +a) : [];
  const folders = versions.map((version) => path.join(DEBIAN, version, "bin"));
  const whole = folders.find((bin) =>
    ["initdb", "postgres", "pg_dump"].every((name) => existsSync(path.join(bin, name))),
  );
  return whole ?? null;
}

export interface SystemPostgres {
  url(database: string, role?: string): string;
  /** Runs statements as the superuser, each in its own transaction. */
  sql(...statements: string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a new server with the programs in `bin`. Everybody on this machine may sign in as anybody. */
export async function startSystemPostgres(bin: string): Promise<SystemPostgres> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "system-postgres-"));
  // PostgreSQL refuses to run as root.
  const identity = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  chmodSync(folder, 0o700);
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid);
  const data = path.join(folder, "data");
  const options = { ...identity, cwd: folder };
  execFileSync(
    path.join(bin, "initdb"),
    ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"],
    { ...options, stdio: "ignore" },
  );
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
  const server = spawn(
    path.join(bin, "postgres"),
    ["-D", data, "-p", `${port}`, ...settings.flatMap((setting) => ["-c", setting])],
    { ...options, stdio: "ignore" },
  );
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const url = (database: string, role = "postgres") =>
    `postgres://${role}@127.0.0.1:${port}/${database}`;
  await untilReady(url("postgres"));
  return {
    url,
    async sql(...statements) {
      const client = new pg.Client({ connectionString: url("postgres") });
      await client.connect();
      for (const statement of statements) await client.query(statement);
      await client.end();
    },
    async stop() {
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Makes the role and the database that docker/init-db.sql makes, as the checklist demands them, and
 * applies all migrations as that role. Returns the database's address.
 */
export async function createServiceDatabase(postgres: SystemPostgres): Promise<string> {
  const lines = readFileSync("docker/init-db.sql", "utf8").split("\n");
  const sql = lines.filter((line) => !line.startsWith("\\")).join("\n");
  const statements = splitStatements(sql.replaceAll(":'password'", "'unused'"));
  await postgres.sql(...statements.map(({ text }) => text));
  const databaseUrl = postgres.url("credits", "credits");
  await migrateDatabase({ databaseUrl, folder: "prisma/migrations" });
  return databaseUrl;
}

const idOf = (flag: "-u" | "-g") =>
  Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));

const canConnect = async (url: string) => {
  const client = new pg.Client({ connectionString: url });
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
};

const untilReady = (url: string) =>
  expect.poll(() => canConnect(url), { interval: 100 }).toBe(true);
