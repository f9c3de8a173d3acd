import type pg from "pg";
import { withConnection } from "../db/connect";
import { expectsPooler, LOSES_STATEMENTS, readPooling } from "../db/pooler";
import { conclude, type Finding, fault, found, pass, skip, toFinding, warning } from "./check";
import type { Configuration } from "./configuration";
import type { DatabaseCheck } from "./database-check";

/** Checks that a pooler in transaction mode has the setting it needs: without it, requests fail under load. */
export function checkPooler({ env }: Configuration): DatabaseCheck {
  const id = "database.pooler";
  return {
    id,
    run: async () => {
      const databaseUrl = env.databaseUrl ?? "";
      const { pooling, keepsStatements } = await readPooling(databaseUrl);
      if (pooling === "none") return pass(id, "no pooler is in between");
      if (pooling === "session") return pass(id, "a pooler in session mode is in between");
      if (expectsPooler(databaseUrl))
        return pass(id, "a pooler in transaction mode is in between, and no statement is prepared");
      if (keepsStatements)
        return pass(id, "a pooler in transaction mode is in between, and keeps statements");
      return found(id, [toFinding("fail", `DATABASE_URL ${LOSES_STATEMENTS}`)]);
    },
  };
}

/** Checks that migrations and backups have an address at which a session is a session. */
export function checkDirectAddress({ env }: Configuration): DatabaseCheck {
  const id = "database.direct";
  return {
    id,
    run: async (client) => {
      const { directDatabaseUrl } = env;
      const { pooling } = await readPooling(directDatabaseUrl ?? env.databaseUrl ?? "");
      const isPooled = pooling === "transaction";
      if (!directDatabaseUrl)
        return isPooled
          ? found(id, [warning(`DATABASE_URL ${IS_POOLED}`, "set DIRECT_DATABASE_URL, too")])
          : skip(id, "DATABASE_URL leads to PostgreSQL itself, so it needs no second address");
      const findings: Finding[] = [];
      if (isPooled)
        findings.push(
          fault(`DIRECT_DATABASE_URL ${IS_POOLED}`, "write PostgreSQL's own address there"),
        );
      const here = await readIdentity(client);
      const there = await withConnection(directDatabaseUrl, readIdentity);
      if (here !== there)
        findings.push(
          fault(
            "DIRECT_DATABASE_URL leads to another database than DATABASE_URL: migrations would change the wrong one",
            "write the same database's own address there",
          ),
        );
      return conclude(id, findings, pass(id, "DIRECT_DATABASE_URL leads to the same database"));
    },
  };
}

const IS_POOLED =
  "leads through a pooler in transaction mode: migrations refuse it, backups need a session, and no worker can listen for jobs";

/** Two servers that started in the same microsecond aren't a risk; copies of a data directory are. */
async function readIdentity(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ identity: string }>(
    `SELECT concat_ws(' ', pg_postmaster_start_time(), current_database(),
       (SELECT oid FROM pg_database WHERE datname = current_database())) AS identity`,
  );
  return rows[0]?.identity ?? "";
}
