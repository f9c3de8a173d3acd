import { randomBytes } from "node:crypto";
import pg from "pg";
import { applyMigration } from "./apply-migration";
import { describeSchema } from "./catalog";
import { withConnection } from "./connect";
import { MigrationError } from "./migration-error";
import type { MigrationFile } from "./migrations-folder";
import { ensureTracker } from "./tracker-table";

interface Scratch {
  /** A session on the same server. */
  client: pg.Client;
  databaseUrl: string;
  /** Name of an empty database to use; by default one is created and dropped. */
  scratch?: string | undefined;
}

const MAY_NOT = "42501";

/** Runs `work` with the URL of an empty database on the same server, with the same connection settings. */
export async function withScratchDatabase<T>(
  { client, databaseUrl, scratch }: Scratch,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const name = scratch ?? `baseline_${randomBytes(8).toString("hex")}`;
  const url = new URL(databaseUrl);
  url.pathname = `/${encodeURIComponent(name)}`;
  if (scratch !== undefined) {
    const { rows } = await client.query<{ name: string }>("SELECT current_database() AS name");
    if (rows[0]?.name !== scratch) return work(url.href);
    const message = "--scratch names the database itself: it needs another one, empty";
    throw new MigrationError("baseline", message);
  }

  const quoted = pg.escapeIdentifier(name);
  await client.query(`CREATE DATABASE ${quoted}`).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError) || error.code !== MAY_NOT) throw error;
    const message =
      "this role may not create the database to compare with: have an empty one made on the same server, and name it with --scratch";
    throw new MigrationError("baseline", message);
  });
  try {
    return await work(url.href);
  } finally {
    await client.query(`DROP DATABASE ${quoted} WITH (FORCE)`);
  }
}

/**
 * Returns the schema that the files give in the empty database at `url`. Throws MigrationError if it
 * isn't empty.
 */
export async function describeFilesIn(url: string, files: MigrationFile[]): Promise<string[]> {
  return withConnection(url, async (client) => {
    const NO_LOCK_TIMEOUT = 0;
    if ((await describeSchema(client)).length > 0) {
      throw new MigrationError("baseline", "the database named with --scratch is not empty");
    }
    await ensureTracker(client);
    for (const file of files)
      await applyMigration({ client, lockTimeoutMs: NO_LOCK_TIMEOUT }, file);
    return describeSchema(client);
  });
}
