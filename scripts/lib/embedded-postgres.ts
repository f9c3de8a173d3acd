import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { startOnFreePort } from "./free-port";
import { importEmbeddedPostgres, openDataDir } from "./open-folder";

const USER = "postgres";
const PASSWORD = "postgres";

export interface RunningPostgres {
  port: number;
  /** Returns the connection string for one database of this server. */
  url(database: string): string;
  /** Creates the database unless it exists, optionally as a copy of `template`. */
  createDatabase(name: string, template?: string): Promise<void>;
  dropDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
}

interface StartOptions {
  dataDir: string;
  /** Tried first; if it is taken, another free port is used. */
  preferredPort?: number;
  /** For tests: data is deleted at the end and never flushed to disk. */
  ephemeral?: boolean;
  /** Further settings of the server: `{ shared_buffers: "1GB" }`. */
  settings?: Record<string, string>;
  /** Called once if the server ends unexpectedly. */
  onExit?: () => void;
  /** The caller stops it at a signal, too. Otherwise the library does, and ends this process at once. */
  ownSignals?: boolean;
}

/**
 * Starts a real PostgreSQL with binaries from the npm registry. Creates its data directory the first
 * time. Throws with the server's last output if it doesn't start.
 */
export async function startPostgres(options: StartOptions): Promise<RunningPostgres> {
  const databaseDir = await openDataDir(path.resolve(options.dataDir));
  await stopServerOf(databaseDir);
  const hooks = options.ownSignals ? [...EXITS, ...SIGNALS] : EXITS;
  const EmbeddedPostgres = await withoutHooks(hooks, importEmbeddedPostgres);
  const said: string[] = [];
  const settings = {
    user: USER,
    password: PASSWORD,
    persistent: !options.ephemeral,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", ...(options.ephemeral ? ["--no-sync"] : [])],
    postgresFlags: [
      ...setting("listen_addresses", "127.0.0.1"),
      ...setting("unix_socket_directories", ""),
      ...setting("max_connections", "300"),
      ...(options.ephemeral ? ephemeralSettings() : []),
      ...Object.entries(options.settings ?? {}).flatMap(([name, value]) => setting(name, value)),
    ],
    onLog: (line: unknown) => said.push(String(line)),
    onError: (line: unknown) => said.push(String(line)),
  };
  const describe = (error: unknown) =>
    `PostgreSQL did not start in ${databaseDir}: ${lastWords(said) || error}`;
  if (!existsSync(path.join(databaseDir, "PG_VERSION"))) {
    const create = (folder: string) =>
      new EmbeddedPostgres({ ...settings, databaseDir: folder }).initialise();
    await createWhole(databaseDir, create).catch((error) => {
      throw new Error(describe(error));
    });
  }
  // Another program can take the port until the server has it.
  const { server, port } = await startOnFreePort(options.preferredPort ?? 0, async (port) => {
    said.length = 0;
    const server = new EmbeddedPostgres({ ...settings, port, databaseDir });
    await server.start().catch((error) => {
      const isTaken = said.some((line) => line.includes("could not create any TCP/IP sockets"));
      throw Object.assign(new Error(describe(error)), { code: isTaken ? "EADDRINUSE" : undefined });
    });
    return { server, port };
  });
  if (options.onExit) watchForEnd(databaseDir, options.onExit);

  const url = (database: string) =>
    `postgresql://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  return {
    port,
    url,
    createDatabase: (name, template) => createDatabase(url("postgres"), name, template),
    dropDatabase: (name) =>
      query(url("postgres"), `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
    async stop() {
      // A signal at the terminal goes to the server, too; the library would wait for its end once more.
      if (options.ephemeral || (await isRunning(databaseDir))) await server.stop();
    },
  };
}

const EXITS = ["beforeExit", "exit"];
const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"];

/**
 * Imports the library without its hooks on these events. Those on exits end the process with code 0 when nothing is left
 * to do, whatever `process.exitCode` says, and failing tests would pass.
 */
async function withoutHooks<T>(events: readonly string[], load: () => Promise<T>): Promise<T> {
  const before = new Set<unknown>(events.flatMap((event) => process.rawListeners(event)));
  const loaded = await load();
  for (const event of events) {
    for (const hook of process.rawListeners(event)) {
      if (!before.has(hook)) process.off(event, hook as () => void);
    }
  }
  return loaded;
}

const setting = (name: string, value: string) => ["-c", `${name}=${value}`];

const ephemeralSettings = () => [
  ...setting("fsync", "off"),
  ...setting("synchronous_commit", "off"),
  ...setting("full_page_writes", "off"),
];

/**
 * Creates the data directory under a temporary name and renames it once it is complete: a killed
 * `initdb` leaves a directory that looks complete but isn't. Deletes such leftovers.
 */
async function createWhole(
  databaseDir: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  const parent = path.dirname(databaseDir);
  const unfinished = `${path.basename(databaseDir)}.new-`;
  for (const name of await readdir(parent).catch(() => [])) {
    if (name.startsWith(unfinished)) await remove(path.join(parent, name));
  }
  const folder = path.join(parent, `${unfinished}${process.pid}`);
  try {
    await make(folder);
    await rename(folder, databaseDir);
  } catch (error) {
    await remove(folder);
    throw error;
  }
}

// Retried, because an orphaned initdb may still be writing there.
const remove = (folder: string) =>
  rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

/**
 * Stops a server left running on this data directory: a server survives if its parent is killed. Only
 * for a directory that none of our living processes uses. Throws if it doesn't stop.
 */
export async function stopAbandonedPostgres(dataDir: string): Promise<void> {
  await stopServerOf(await openDataDir(path.resolve(dataDir)));
}

async function stopServerOf(databaseDir: string): Promise<void> {
  const pid = await postmasterPid(databaseDir);
  if (pid === null || !(await isServerOf(databaseDir, pid))) return;
  process.kill(pid, "SIGINT");
  for (let waited = 0; isAlive(pid); waited += 100) {
    if (waited > 10_000) throw new Error(`another PostgreSQL (pid ${pid}) holds ${databaseDir}`);
    await sleep(100);
  }
}

async function postmasterPid(databaseDir: string): Promise<number | null> {
  const file = await readFile(path.join(databaseDir, "postmaster.pid"), "utf8").catch(() => "");
  const pid = Number.parseInt(file.split("\n")[0] ?? "", 10);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : null;
}

async function isRunning(databaseDir: string): Promise<boolean> {
  const pid = await postmasterPid(databaseDir);
  return pid !== null && isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A pid can be reused after a reboot, so the file alone doesn't prove that the process is ours. */
async function isServerOf(databaseDir: string, pid: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "args=", "-p", `${pid}`]).catch(() => ({
    stdout: "",
  }));
  return stdout.includes(databaseDir);
}

function watchForEnd(databaseDir: string, onExit: () => void): void {
  const timer = setInterval(async () => {
    if (await isRunning(databaseDir)) return;
    clearInterval(timer);
    onExit();
  }, 500);
  timer.unref();
}

async function createDatabase(adminUrl: string, name: string, template?: string): Promise<void> {
  const from = template ? ` TEMPLATE ${pg.escapeIdentifier(template)}` : "";
  try {
    await query(adminUrl, `CREATE DATABASE ${pg.escapeIdentifier(name)}${from}`);
  } catch (error) {
    const DUPLICATE_DATABASE = "42P04";
    if ((error as { code?: string }).code !== DUPLICATE_DATABASE) throw error;
  }
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const lastWords = (said: string[]) => said.join("").trim().split("\n").slice(-3).join(" | ");
