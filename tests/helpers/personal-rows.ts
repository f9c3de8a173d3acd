import type pg from "pg";

/** Columns that a general value doesn't suit, as SQL. A list makes a row for each of its values. */
export type Values = Record<string, Record<string, string | readonly string[]>>;

interface Column {
  name: string;
  /** As PostgreSQL formats it: `text`, `file_status`. */
  type: string;
  isEnum: boolean;
  /** The table that it refers to, and the column there. */
  target: { table: string; column: string } | null;
}

/** A text column of a personal table. */
export interface PersonalColumn {
  table: string;
  column: string;
  /** The text that stands there. */
  planted: string;
}

/**
 * Plants a row of a person in each table that refers to `users`, directly or through others, with a text
 * of its own in each text column. Follows the schema, so a new table or column comes by itself. Where a table
 * has several rows, such as a run of each action, so has a table that refers to it by its own `id`. Returns the text columns. `values` has
 * what constraints ask for.
 */
export async function plantRows(
  client: pg.Client,
  { userId, values }: { userId: string; values: Values },
): Promise<PersonalColumn[]> {
  const ids = new Map([["users", [userId]]]);
  const columns: PersonalColumn[] = [];
  for (const table of await listPersonalTables(client)) {
    const own = await listColumns(client, table);
    const key = own.find(({ name }) => name === "id") ?? own[0];
    const rows = countRows(own, { given: values[table] ?? {}, ids });
    const made: string[] = [];
    for (let nth = 0; nth < rows; nth += 1) {
      const valued = own.map((column) => {
        const given = values[table]?.[column.name];
        const value = Array.isArray(given) ? given[nth] : given;
        return { name: column.name, value: value ?? valueFor(column, { table, ids, nth }) };
      });
      const list = valued.map(({ name }) => name).join(", ");
      const row = valued.map(({ value }) => value).join(", ");
      const statement = `INSERT INTO ${table} (${list}) OVERRIDING SYSTEM VALUE SELECT ${row}
        RETURNING ${key?.name}::text AS id`;
      const inserted = await client.query<{ id: string }>(statement).catch((error: Error) => {
        throw new Error(`no row for ${table}: ${error.message}. Give it the values that it needs`);
      });
      made.push(inserted.rows[0]?.id ?? "");
      if (nth > 0) continue;
      for (const { name, value } of valued) {
        const planted = `planted in ${table}.${name}`;
        if (value === `'${planted}'`) columns.push({ table, column: name, planted });
      }
    }
    ids.set(table, made);
  }
  return columns;
}

/** A row for each value of a list, or for each row of the table that this one shares its id with. */
function countRows(
  columns: Column[],
  { given, ids }: { given: Values[string]; ids: Map<string, string[]> },
): number {
  const lists = Object.values(given).flatMap((value) => (Array.isArray(value) ? value.length : 1));
  const own = columns.find(({ name, target }) => name === "id" && target?.column === "id");
  return Math.max(1, ...lists, own?.target ? (ids.get(own.target.table)?.length ?? 1) : 1);
}

/** Tables that refer to a person, each after those that it refers to. */
async function listPersonalTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; target: string }>(
    `SELECT conrelid::regclass::text AS table, confrelid::regclass::text AS target
     FROM pg_constraint WHERE contype = 'f' AND conrelid <> confrelid`,
  );
  const found: string[] = [];
  const isKnown = (table: string) => table === "users" || found.includes(table);
  const personal = new Set<string>();
  for (let before = -1; personal.size > before; ) {
    before = personal.size;
    for (const { table, target } of rows)
      if (target === "users" || personal.has(target)) personal.add(table);
  }
  while (found.length < personal.size) {
    const next = [...personal].find(
      (table) =>
        !isKnown(table) &&
        rows.every(
          (row) => row.table !== table || !personal.has(row.target) || isKnown(row.target),
        ),
    );
    if (next === undefined) throw new Error("personal tables refer to each other in a circle");
    found.push(next);
  }
  return found;
}

async function listColumns(client: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, t.typtype = 'e' AS "isEnum",
       (SELECT jsonb_build_object('table', confrelid::regclass, 'column', target.attname)
        FROM pg_constraint JOIN pg_attribute target
          ON target.attrelid = confrelid AND target.attnum = confkey[1]
        WHERE contype = 'f' AND conrelid = a.attrelid AND conkey[1] = a.attnum LIMIT 1) AS target
     FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     ORDER BY a.attnum`,
    [table],
  );
  return rows;
}

/** A value for a column, as SQL: the row that it refers to, a text that names its place, or a plain one of its type. */
function valueFor(
  { name, type, isEnum, target }: Column,
  { table, ids, nth }: { table: string; ids: Map<string, string[]>; nth: number },
): string {
  if (target) {
    const known = ids.get(target.column === "id" ? target.table : "users") ?? [];
    return `'${known[nth] ?? known[0]}'`;
  }
  if (isEnum) return `(enum_range(NULL::${type}))[1]`;
  switch (type) {
    case "text":
      return `'planted in ${table}.${name}'`;
    case "uuid":
      return "gen_random_uuid()";
    case "jsonb":
      return `'{}'`;
    case "text[]":
    case "integer[]":
      return `'{}'`;
    case "boolean":
      return "false";
    case "bytea":
      // As long as a SHA-256.
      return "decode(repeat('00', 32), 'hex')";
    case "timestamp with time zone":
      return "now()";
    case "date":
      return "current_date";
    default:
      return "1";
  }
}
