import type pg from "pg";

/** These read from PostgreSQL's catalogs what schema.prisma can express, one line per item. */
const DECLARED = [
  `SELECT format('column %I.%I %s%s%s%s%s', t.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN ' not null' END,
      ' default ' || pg_get_expr(d.adbin, d.adrelid),
      ' identity ' || nullif(a.attidentity::text, ''),
      ' generated ' || nullif(a.attgenerated::text, ''))
    FROM pg_attribute a JOIN tables t ON t.oid = a.attrelid
      LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
    WHERE a.attnum > 0 AND NOT a.attisdropped`,
  `SELECT format('index %s%s', pg_get_indexdef(i.indexrelid), CASE WHEN NOT i.indisvalid THEN ' invalid' END)
    FROM pg_index i JOIN tables t ON t.oid = i.indrelid WHERE i.indpred IS NULL AND i.indexprs IS NULL`,
  `SELECT format('constraint %I.%I %s', t.relname, c.conname, pg_get_constraintdef(c.oid))
    FROM pg_constraint c JOIN tables t ON t.oid = c.conrelid WHERE c.contype IN ('p', 'u', 'f', 'x')`,
  `SELECT format('enum %I (%s)', y.typname, string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder))
    FROM pg_type y JOIN pg_enum e ON e.enumtypid = y.oid
    WHERE y.typnamespace = 'public'::regnamespace GROUP BY y.oid, y.typname`,
  `SELECT format('%s %I', CASE c.relkind WHEN 'S' THEN 'sequence' WHEN 'r' THEN 'table' ELSE 'relation ' || c.relkind::text END, c.relname)
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
      AND c.relname <> 'app_migrations' AND NOT EXISTS (SELECT FROM extended x WHERE x.objid = c.oid)`,
];

/** These read what only hand-written migrations can express. */
const WRITTEN_BY_HAND = [
  `SELECT format('index %s%s', pg_get_indexdef(i.indexrelid), CASE WHEN NOT i.indisvalid THEN ' invalid' END)
    FROM pg_index i JOIN tables t ON t.oid = i.indrelid WHERE i.indpred IS NOT NULL OR i.indexprs IS NOT NULL`,
  `SELECT format('constraint %I.%I %s', t.relname, c.conname, pg_get_constraintdef(c.oid))
    FROM pg_constraint c JOIN tables t ON t.oid = c.conrelid WHERE c.contype = 'c'`,
  `SELECT format('trigger %s%s', pg_get_triggerdef(g.oid), CASE WHEN g.tgenabled <> 'O' THEN ' enabled ' || g.tgenabled::text END)
    FROM pg_trigger g JOIN tables t ON t.oid = g.tgrelid WHERE NOT g.tgisinternal`,
  `SELECT format('function %s', regexp_replace(pg_get_functiondef(p.oid), '\\s+', ' ', 'g'))
    FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.prokind IN ('f', 'p')
      AND NOT EXISTS (SELECT FROM extended x WHERE x.objid = p.oid)`,
  `SELECT format('view %I %s', c.relname, regexp_replace(pg_get_viewdef(c.oid), '\\s+', ' ', 'g'))
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('v', 'm')
      AND NOT EXISTS (SELECT FROM extended x WHERE x.objid = c.oid)`,
  `SELECT format('policy %I.%I %s %s %s', t.relname, p.polname, p.polcmd,
      pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
    FROM pg_policy p JOIN tables t ON t.oid = p.polrelid`,
];

/** Excludes objects of extensions and the runner's own table. */
const WITH = `WITH extended AS (SELECT objid FROM pg_depend WHERE deptype = 'e'), tables AS (
  SELECT c.oid, c.relname FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'app_migrations'
    AND NOT EXISTS (SELECT FROM extended x WHERE x.objid = c.oid)
)`;

interface Extent {
  /**
   * Only what schema.prisma can express: no CHECK constraints, triggers, functions, views, or indexes that
   * are partial or of an expression.
   */
  declaredOnly?: boolean;
}

/** Returns the schema `public` as sorted lines, to compare two databases. Column order is left out. */
export async function describeSchema(
  client: pg.Client,
  { declaredOnly = false }: Extent = {},
): Promise<string[]> {
  const lines: string[] = [];
  for (const query of declaredOnly ? DECLARED : [...DECLARED, ...WRITTEN_BY_HAND]) {
    const { rows } = await client.query<[string]>({ text: `${WITH} ${query}`, rowMode: "array" });
    lines.push(...rows.map(([line]) => line));
  }
  return lines.sort();
}
