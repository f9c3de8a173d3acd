import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";

/** A process that serves or works, as it says of itself. */
export interface ServerProcess {
  id: string;
  kind: "server" | "worker";
  host: string;
  pid: number;
  /** Whether it does background work. */
  works: boolean;
  version: string;
  /** The same for all processes with the same `AUTH_SECRET`. */
  fingerprint: string;
}

/** SQL: a process that runs. It renews its row every 30 seconds. */
export const IS_ALIVE = Prisma.sql`seen_at > now() - interval '2 minutes'`;

/** Writes or renews a process's row. */
export async function announceProcess(
  { id, kind, host, pid, works, version, fingerprint }: ServerProcess,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  const statement = Prisma.sql`
    INSERT INTO server_processes (id, kind, host, pid, works, version, fingerprint)
    VALUES (${id}::uuid, ${kind}, ${host}, ${pid}::int, ${works}::bool, ${version}, ${fingerprint})
    ON CONFLICT (id) DO UPDATE SET seen_at = now()`;
  await queryPrepared("announce_process", statement, db);
}

/** Removes the row of a process that ends. */
export async function forgetProcess(
  { id }: Pick<ServerProcess, "id">,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.serverProcess.deleteMany({ where: { id } });
}

/** The processes that run, the oldest first. */
export function listProcesses(
  db: DatabaseOrTransaction = getDb(),
): Promise<(ServerProcess & { startedAt: Date })[]> {
  return db.$queryRaw`
    SELECT id, kind, host, pid, works, version, fingerprint, started_at AS "startedAt"
    FROM server_processes WHERE ${IS_ALIVE} ORDER BY started_at, host, pid`;
}
