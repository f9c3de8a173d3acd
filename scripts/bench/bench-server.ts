import { chmod, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { migrateDatabase } from "../db/migrate";
import { startPostgres } from "../lib/embedded-postgres";

/** Where benches make their databases, all of them thrown away at the end. */
export interface BenchServer {
  /** A migrated database, and its connection string. */
  createDatabase(): Promise<string>;
  /** A copy of a database that nobody is connected to, equal down to its pages. */
  copyDatabase(url: string): Promise<string>;
  dropDatabase(url: string): Promise<void>;
}

/**
 * Gives the work a PostgreSQL of its own, or else the server that `adminUrl` leads to, where only
 * databases that were made here are touched. Its own flushes nothing to the disk and holds the
 * databases in memory: what is compared is work, and not how a disk is doing meanwhile.
 */
export async function withBenchServer<T>(
  { adminUrl, onProgress }: { adminUrl?: string; onProgress: (line: string) => void },
  work: (server: BenchServer) => Promise<T>,
): Promise<T> {
  if (adminUrl) return withDatabases(adminUrl, work);
  const folder = await mkdtemp(path.join(os.tmpdir(), "credits-bench-"));
  // Open to the user that PostgreSQL runs as when we are root.
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

/** A quarter of the memory, as PostgreSQL's manual has it, and no more than the benches fill. */
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
