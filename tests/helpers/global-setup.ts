import { chmod, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { migrateDatabase } from "../../scripts/db/migrate";
import { startPostgres } from "../../scripts/lib/embedded-postgres";
import { type LocalS3, startLocalS3 } from "../../scripts/sandbox/local-s3";

export const TEMPLATE_DATABASE = "template";

declare module "vitest" {
  export interface ProvidedContext {
    /** An administrator's connection string of a real PostgreSQL that runs as long as the tests. */
    postgresUrl: string;
    s3Env: LocalS3["env"];
    /** A folder in which Node keeps the compiled modules of the servers that tests start. */
    compileCache: string;
  }
}

/**
 * Starts the services shared by integration and browser tests: one PostgreSQL with a migrated
 * template, one S3.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "credits-test-"));
  // Readable by the user that PostgreSQL runs as when we are root.
  await chmod(folder, 0o755);
  const postgres = await startPostgres({
    dataDir: path.join(folder, "postgres"),
    ephemeral: true,
    // Autovacuum would start a process for each database again and again, also for those whose tests have ended.
    settings: { autovacuum: "off" },
  });
  await postgres.createDatabase(TEMPLATE_DATABASE);
  await migrateDatabase({
    databaseUrl: postgres.url(TEMPLATE_DATABASE),
    folder: "prisma/migrations",
  });
  const s3 = await startLocalS3({ directory: path.join(folder, "s3"), port: 0 });
  project.provide("postgresUrl", postgres.url("postgres"));
  project.provide("s3Env", s3.env);
  project.provide("compileCache", path.join(folder, "compiled"));

  return async () => {
    await s3.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
