import { expectsPooler } from "../db/pooler";
import { conclude, pass, skip, warning } from "./check";
import type { Configuration } from "./configuration";
import type { DatabaseCheck } from "./database-check";

/** Of each process that does background work. */
const FOR_JOBS = 3;
/** For commands, a backup and a person with psql, as docs/more-than-one-process.md says. */
const FOR_OTHERS = 10;

/** Whether PostgreSQL takes as many connections as this configuration's processes open. */
export function checkConnections({ env }: Configuration): DatabaseCheck {
  const id = "database.connections";
  return {
    id,
    async run(client) {
      const { databaseUrl, databasePoolSize, processes, worker } = env;
      if (databaseUrl && expectsPooler(databaseUrl))
        return skip(id, "the pooler decides how many connections there are");
      const { rows } = await client.query<{ most: number }>(
        `SELECT current_setting('max_connections')::int
           - current_setting('superuser_reserved_connections')::int AS most`,
      );
      const most = rows[0]?.most ?? 0;
      const wanted = processes * (databasePoolSize + (worker ? FOR_JOBS : 0)) + FOR_OTHERS;
      const sum = `${processes} × (${databasePoolSize} + ${worker ? FOR_JOBS : 0}) + ${FOR_OTHERS} = ${wanted}`;
      const finding = warning(
        `one machine's processes may open more connections than PostgreSQL takes: ${sum}, and it takes ${most}`,
        "lower DATABASE_POOL_SIZE or WEB_CONCURRENCY, raise max_connections, or put a pooler in between (docs/more-than-one-process.md)",
      );
      return conclude(
        id,
        wanted > most ? [finding] : [],
        pass(id, `PostgreSQL takes ${most} connections, and one machine needs up to ${wanted}`),
      );
    },
  };
}
