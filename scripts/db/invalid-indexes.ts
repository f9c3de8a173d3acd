import type pg from "pg";

export interface InvalidIndex {
  name: string;
  /** Quoted and schema-qualified, ready for a DROP INDEX. */
  qualified: string;
}

/**
 * Lists indexes that no query uses because their concurrent build failed. Leaves out builds in progress,
 * and partitioned indexes, which are invalid until every partition has its part.
 */
export async function listInvalidIndexes(client: pg.Client): Promise<InvalidIndex[]> {
  const { rows } = await client.query<InvalidIndex>(
    `SELECT c.relname AS name, format('%I.%I', n.nspname, c.relname) AS qualified
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE NOT i.indisvalid AND c.relkind = 'i' AND n.nspname !~ '^pg_'
       AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = c.oid)
     ORDER BY 2`,
  );
  return rows;
}

/** Whether `sql` names the index. */
export function mentions(sql: string, index: InvalidIndex): boolean {
  return sql.toLowerCase().includes(index.name.toLowerCase());
}

/** Says what to do about them, to end a message; empty if there are none. */
export function describeLeftovers(indexes: InvalidIndex[]): string {
  if (indexes.length === 0) return "";
  const drops = indexes.map((index) => `DROP INDEX CONCURRENTLY ${index.qualified};`).join(" ");
  return `. It left an INVALID index, which no query uses: run ${drops} and then db:migrate again`;
}
