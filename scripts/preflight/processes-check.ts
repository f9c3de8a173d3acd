import { compareProcesses } from "~/models/upkeep/compare-processes";
import { listProcesses } from "~/models/upkeep/server-processes.server";
import { fingerprintOf } from "~/utils/fingerprint.server";
import { withDatabase } from "../lib/with-database";
import { conclude, fault, pass, skip, warning } from "./check";
import type { Configuration } from "./configuration";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

/** Whether the processes that run have one secret, this environment's, and one version. */
export function checkProcesses({ env }: Configuration): DatabaseCheck {
  const id = "cron.processes";
  const { databaseUrl, authSecret } = env;
  return {
    id,
    async run(client) {
      if (!databaseUrl || !(await hasTable(client, "server_processes")))
        return skip(id, "migrations are pending: see database.migrations");
      const running = await withDatabase(listProcesses, databaseUrl);
      if (running.length === 0) return skip(id, "no server runs on this database");
      const { sameSecret, sameVersion, working } = compareProcesses(running);
      const own = authSecret ? fingerprintOf(authSecret) : null;
      const isOther = own !== null && running.some(({ fingerprint }) => fingerprint !== own);
      const findings = [];
      if (!sameSecret)
        findings.push(
          fault(
            "processes that run have different AUTH_SECRETs: every other request of a signed-in person is refused",
            "give all the same value; docs/incidents/processes-differ.md",
          ),
        );
      else if (isOther)
        findings.push(
          warning(
            "the processes that run have another AUTH_SECRET than this environment: a deploy signs everybody out",
            "set the value that they have, unless you are changing it",
          ),
        );
      if (!sameVersion)
        findings.push(
          warning(
            "processes run different versions",
            "deploy to all; it is normal during a deploy",
          ),
        );
      if (working === 0)
        findings.push(
          warning(
            "no process does background work",
            "unset WORKER on a server, or run `npm run worker`",
          ),
        );
      return conclude(
        id,
        findings,
        pass(id, `${running.length} processes run, with one secret and one version`),
      );
    },
  };
}
