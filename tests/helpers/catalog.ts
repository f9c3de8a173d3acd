import pg from "pg";

/**
 * What schema.prisma can say, read from PostgreSQL's own catalogs, one line a thing. CHECK
 * constraints, triggers, functions and partial indexes are in no query: the migrations alone say them.
 */
const QUERIES = [
  `SELECT format('column %I.%I %s%s%s%s%s', t.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN ' not null' END,
      ' default ' || pg_get_expr(d.adbin, d.adrelid),
      ' identity ' || nullif(a.attidentity::text, ''),
      ' generated ' || nullif(a.attgenerated::text, ''))
    FROM pg_attribute a JOIN tables t ON t.oid = a.attrelid
      LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
    WHERE a.attnum > 0 AND NOT a.attisdropped`,
  `SELECT format('index %s%s', pg_get_indexdef(i.indexrelid), CASE WHEN NOT i.indisvalid THEN ' invalid' END)
    FROM pg_index i JOIN tables t ON t.oid = i.indrelid WHERE i.indpred IS NULL`,
  `SELECT format('constraint %I.%I %s', t.relname, c.conname, pg_get_constraintdef(c.oid))
    FROM pg_constraint c JOIN tables t ON t.oid = c.conrelid WHERE c.contype IN ('p', 'u', 'f', 'x')`,
  `SELECT format('enum %I (%s)', y.typname, string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder))
    FROM pg_type y JOIN pg_enum e ON e.enumtypid = y.oid
    WHERE y.typnamespace = 'public'::regnamespace GROUP BY y.oid, y.typname`,
  `SELECT format('%s %I', CASE c.relkind WHEN 'S' THEN 'sequence' WHEN 'r' THEN 'table' ELSE 'relation ' || c.relkind::text END, c.relname)
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
      AND c.relname <> 'app_migrations'`,
];

const TABLES = `WITH tables AS (
  SELECT oid, relname FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'app_migrations'
)`;

/** The database's schema as sorted lines that two databases can be compared by. */
export async function describeSchema(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const lines: string[] = [];
    for (const query of QUERIES) {
      const { rows } = await client.query<[string]>({
        text: `${TABLES} ${query}`,
        rowMode: "array",
      });
      lines.push(...rows.map(([line]) => line));
    }
    return lines.sort();
  } finally {
    await client.end();
  }
}
