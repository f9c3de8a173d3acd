import pg from "pg";
import { type Finding, fault, found, pass, skip } from "./check";
import type { CheckId } from "./check-ids";
import type { DatabaseCheck } from "./database-check";
import { hasTable } from "./has-table";

interface UniqueKey {
  id: CheckId;
  table: string;
  columns: string[];
  /** One row's name, for people. */
  what: string;
  /** The damage that duplicates do. */
  consequence: string;
}

/** Keys that must be unique. Duplicates would also stop the migration that creates the index. */
export const UNIQUE_KEYS: UniqueKey[] = [
  {
    id: "database.duplicate-credit-sources",
    table: "credit_transactions",
    columns: ["source"],
    what: "credit source",
    consequence: "credits may have been given twice",
  },
  {
    id: "database.duplicate-subscriptions",
    table: "subscriptions",
    columns: ["provider", "provider_subscription_id"],
    what: "subscription",
    consequence: "monthly credits may be granted twice",
  },
  {
    id: "database.duplicate-orders",
    table: "orders",
    columns: ["provider", "provider_checkout_id"],
    what: "order",
    consequence: "a purchase may be delivered twice",
  },
  {
    id: "database.duplicate-webhook-events",
    table: "webhook_inbox",
    columns: ["provider", "dedupe_key"],
    what: "webhook event",
    consequence: "an event may be processed twice",
  },
];

const MOST_NAMED = 3;

/** Trusts a valid unique index; without one it counts duplicates, which reads the whole table. */
export function checkUniqueKeys(key: UniqueKey): DatabaseCheck {
  const { id, table, columns, what, consequence } = key;
  return {
    id,
    async run(client) {
      if (!(await hasTable(client, table))) return skip(id, `there is no table ${table} yet`);
      if (await hasUniqueIndex(client, key)) return pass(id, `a unique index covers every ${what}`);
      const { duplicates, examples } = await countDuplicates(client, key);
      const findings: Finding[] = [];
      if (duplicates > 0)
        findings.push(
          fault(
            `${duplicates} ${what}${duplicates === 1 ? " has" : "s have"} more than one row in ${table}, so ${consequence} and its unique index cannot be created: ${examples.join(", ")}`,
            "see docs/preflight.md on duplicate rows; keep the oldest row of each",
          ),
        );
      findings.push(
        fault(
          `${table} has no unique index on (${columns.join(", ")}), so nothing enforces its rules`,
          `create it: CREATE UNIQUE INDEX CONCURRENTLY ${table}_${columns.join("_")}_key ON ${table} (${columns.join(", ")});`,
        ),
      );
      return found(id, findings);
    },
  };
}

async function hasUniqueIndex(client: pg.Client, { table, columns }: UniqueKey): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT EXISTS (
       SELECT FROM pg_index i
       WHERE i.indrelid = to_regclass($1) AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
         AND (SELECT array_agg(a.attname::text ORDER BY a.attname)
              FROM pg_attribute a
              WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey[0:i.indnkeyatts - 1])
             ) = $2::text[]
     ) AS found`,
    [table, columns.toSorted()],
  );
  return rows[0]?.found === true;
}

/** A unique index allows any number of rows with a NULL, so they aren't duplicates. */
async function countDuplicates(client: pg.Client, { table, columns }: UniqueKey) {
  const list = columns.map(pg.escapeIdentifier).join(", ");
  const { rows } = await client.query<{ total: string; example: string }>(
    `SELECT count(*) OVER () AS total, concat_ws(' ', ${list}) AS example
     FROM ${pg.escapeIdentifier(table)}
     WHERE num_nulls(${list}) = 0
     GROUP BY ${list} HAVING count(*) > 1 ORDER BY 2 LIMIT ${MOST_NAMED}`,
  );
  return {
    duplicates: Number(rows[0]?.total ?? 0),
    examples: rows.map(({ example }) => example),
  };
}
