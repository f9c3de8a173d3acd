import { chmod, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { migrateDatabase } from "../../db/migrate";
import { startPostgres } from "../../lib/embedded-postgres";

/** Creates databases for benches and deletes them all at the end. */
export interface BenchServer {
  /** Creates a migrated database and returns its connection string. */
  createDatabase(): Promise<string>;
  /** Copies a database that nobody is connected to, page by page. Returns the copy's connection string. */
  copyDatabase(url: string): Promise<string>;
  dropDatabase(url: string): Promise<void>;
}

/**
 * Runs `work` with a PostgreSQL of its own, or with the server at `adminUrl`, where it touches only
 * databases that it created. Its own server doesn't flush to disk and keeps the databases in memory, so
 * that benches compare work and not the disk's load.
 */
export async function withBenchServer<T>(
  { adminUrl, onProgress }: { adminUrl?: string; onProgress: (line: string) => void },
  work: (server: BenchServer) => Promise<T>,
): Promise<T> {
  if (adminUrl) return withDatabases(adminUrl, work);
  const folder = await mkdtemp(path.join(os.tmpdir(), "credits-bench-"));
  // PostgreSQL's user must get in when we run as root.
  await chmod(folder, 0o755);
  try {
    onProgress("starting a PostgreSQL");
    const postgres = await startPostgres({
      dataDir: path.join(folder, "postgres"),
      ephemeral: true,
      settings: { shared_buffers: `${sharedMegabytes()}MB`, max_wal_size: "8GB" },
    });
    try {
      return await withDatabases(postgres.url("postgres"), work);
    } finally {
      await postgres.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A quarter of the memory, as PostgreSQL's manual advises, but no more than the benches fill. */
function sharedMegabytes(): number {
  return Math.min(2048, Math.floor(os.totalmem() / 2 ** 20 / 4));
}

async function withDatabases<T>(
  adminUrl: string,
  work: (server: BenchServer) => Promise<T>,
): Promise<T> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const made = new Map<string, string>();
  const create = async (clause: string) => {
    const name = `bench_${process.pid}_${made.size + 1}`;
    await admin.query(`CREATE DATABASE ${name}${clause}`);
    const url = new URL(adminUrl);
    url.pathname = `/${name}`;
    made.set(url.href, name);
    return url.href;
  };
  const drop = (name: string) => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  try {
    return await work({
      async createDatabase() {
        const url = await create("");
        await migrateDatabase({ databaseUrl: url, folder: "prisma/migrations" });
        return url;
      },
      copyDatabase: (url) => create(` TEMPLATE ${made.get(url)}`),
      async dropDatabase(url) {
        await drop(made.get(url) ?? "");
      },
    });
  } finally {
    for (const name of made.values()) await drop(name);
    await admin.end();
  }
}
