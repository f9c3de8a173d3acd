import type { Tools } from "./postgres-tools";

export interface Archive {
  /** Name of the database that was backed up. */
  database: string;
  /** When, as `pg_restore` prints it: 2026-11-22 08:00:00 UTC. */
  createdAt: string;
  /** Number of tables with their rows. */
  tables: number;
}

/** Reads an archive's table of contents. Throws if the file is no whole archive of this product. */
export async function readArchive(file: string, { run }: Pick<Tools, "run">): Promise<Archive> {
  const list = await run("pg_restore", ["--list", file]);
  const field = (name: string) => new RegExp(`^;\\s+${name}:? (.+)$`, "m").exec(list)?.[1] ?? "";
  const tables = list.match(/ TABLE DATA \S+ (\S+) /g) ?? [];
  if (!tables.some((entry) => entry.includes(" credit_transactions ")))
    throw new Error(`${file} has no table credit_transactions: it is no backup of this product`);
  return {
    database: field("dbname"),
    createdAt: field("Archive created at"),
    tables: tables.length,
  };
}
