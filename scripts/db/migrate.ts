import type pg from "pg";
import { acquireMigrationLock } from "./advisory-lock";
import { applyMigration } from "./apply-migration";
import { withConnection } from "./connect";
import { MigrationError } from "./migration-error";
import { compareMigrations, type MigrationStatus } from "./migration-status";
import { type MigrationFile, readMigrations } from "./migrations-folder";
import { requireDirect } from "./require-direct";
import { ensureTracker, listRecorded } from "./tracker-table";

const DEFAULT_LOCK_TIMEOUT_MS = 5_000;
const DEFAULT_LOCK_WAIT_MS = 60_000;

export interface MigrateOptions {
  databaseUrl: string;
  /** The folder of the `.sql` files. */
  folder: string;
  /** Report what would be applied, without changing anything. */
  dryRun?: boolean;
  /** Fail on a new file that sorts before the last applied one; otherwise only warn. */
  strict?: boolean;
  /** Continue if a recorded file is missing from the folder. */
  allowMissing?: boolean;
  /** Milliseconds a statement may wait for a lock before its file fails. 5 s by default. */
  lockTimeoutMs?: number;
  /** Milliseconds to wait for another runner on the same database. 60 s by default. */
  lockWaitMs?: number;
  /** Called with one line per step, for people. */
  onProgress?: (line: string) => void;
}

export type MigrateResult =
  | { status: "up-to-date"; warnings: string[] }
  | { status: "applied"; applied: string[]; warnings: string[] }
  | { status: "dry-run"; pending: string[]; warnings: string[] };

/**
 * Applies the folder's pending files in the byte order of their names, and stops at the first failure.
 * Each file and its record in `app_migrations` share one transaction. Safe to run repeatedly and by
 * several processes at once. Throws MigrationError; files applied before it stay applied.
 */
export async function migrateDatabase(options: MigrateOptions): Promise<MigrateResult> {
  const files = await readMigrations(options.folder);
  if (!options.dryRun) await requireDirect(options.databaseUrl);
  return withConnection(options.databaseUrl, async (client) =>
    options.dryRun ? preview(client, files, options) : run(client, files, options),
  );
}

async function preview(client: pg.Client, files: MigrationFile[], options: MigrateOptions) {
  const status = compareMigrations(files, await listRecorded(client));
  const { pending, warnings } = decide(status, options);
  return { status: "dry-run" as const, pending: pending.map(({ name }) => name), warnings };
}

async function run(
  client: pg.Client,
  files: MigrationFile[],
  options: MigrateOptions,
): Promise<MigrateResult> {
  const report = options.onProgress ?? (() => undefined);
  await acquireMigrationLock(client, {
    waitMs: options.lockWaitMs ?? DEFAULT_LOCK_WAIT_MS,
    onWait: (holder) => report(`waiting for another migration run (${holder})`),
  });
  // Read under the lock: the previous holder may just have applied the pending files.
  const status = compareMigrations(files, await listRecorded(client));
  const { pending, warnings } = decide(status, options);
  for (const warning of warnings) report(`warning: ${warning}`);

  await ensureTracker(client);
  const lockTimeoutMs = options.lockTimeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS;
  for (const file of pending) {
    const started = performance.now();
    report(`applying ${file.name}${file.noTransaction ? " (outside a transaction)" : ""}`);
    await applyMigration({ client, lockTimeoutMs }, file);
    report(`applied ${file.name} in ${Math.round(performance.now() - started)} ms`);
  }
  return pending.length === 0
    ? { status: "up-to-date", warnings }
    : { status: "applied", applied: pending.map(({ name }) => name), warnings };
}

/** Throws if the history doesn't fit the folder. Returns the remaining concerns as warnings. */
function decide(status: MigrationStatus, options: MigrateOptions) {
  const { changed, missing, outOfOrder, pending, lastApplied } = status;
  if (changed.length > 0) {
    throw new MigrationError(
      "changed",
      `${namesOf(changed)}: edited after it was applied; put it back as it was, and write a new migration for the change`,
    );
  }
  const missingText = `${namesOf(missing)}: recorded as applied, and not in the folder`;
  if (missing.length > 0 && !options.allowMissing) {
    throw new MigrationError("missing", `${missingText}; bring it back, or give --allow-missing`);
  }
  const outOfOrderText = `${namesOf(outOfOrder)}: sorts before ${lastApplied}, which is applied already`;
  if (outOfOrder.length > 0 && options.strict) {
    throw new MigrationError("out-of-order", `${outOfOrderText}; rename it to sort last`);
  }
  const warnings = [
    ...(missing.length > 0 ? [missingText] : []),
    ...(outOfOrder.length > 0 ? [outOfOrderText] : []),
  ];
  return { pending, warnings };
}

const namesOf = (items: { name: string }[]) => items.map(({ name }) => name).join(", ");
