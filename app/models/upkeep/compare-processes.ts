import type { ServerProcess } from "~/models/upkeep/server-processes.server";

/** The reports of the running processes about themselves, and whether they agree. */
export interface ProcessesHealth {
  servers: number;
  workers: number;
  /** Processes that do background work, servers among them. */
  working: number;
  sameSecret: boolean;
  sameVersion: boolean;
  running: Pick<ServerProcess, "kind" | "host" | "pid" | "version" | "fingerprint">[];
}

export function compareProcesses(processes: ServerProcess[]): ProcessesHealth {
  const distinct = (values: string[]) => new Set(values).size;
  return {
    servers: processes.filter(({ kind }) => kind === "server").length,
    workers: processes.filter(({ kind }) => kind === "worker").length,
    working: processes.filter(({ works }) => works).length,
    sameSecret: distinct(processes.map(({ fingerprint }) => fingerprint)) <= 1,
    sameVersion: distinct(processes.map(({ version }) => version)) <= 1,
    running: processes.map(({ kind, host, pid, version, fingerprint }) => ({
      kind,
      host,
      pid,
      version,
      fingerprint,
    })),
  };
}
