import { Prisma } from "~/generated/prisma/client";

/**
 * SQL: whether the ledger's row `row` is the newest of its run's, of those up to the id `until`. A run's rows follow each
 * other in one order: the first deduction, its extensions, then the refunds, that of the last deduction first. So
 * each row has at most two possible successors, which the unique source finds, however long the history is.
 */
export const isLastOfRun = (until: string): Prisma.Sql => Prisma.sql`(
  SELECT true FROM credit_transactions later
  WHERE later.user_id = row.user_id AND later.id <= ${until}::bigint AND later.source = ANY (ARRAY(
    SELECT unnest(CASE row.type
      WHEN 'deduction' THEN ARRAY[row.source || ':refund', base || ':' || (nth + 1)]
      WHEN 'refund' THEN ARRAY[CASE nth WHEN 1 THEN NULL WHEN 2 THEN base || ':refund'
        ELSE base || ':' || (nth - 1) || ':refund' END] END)
    FROM (SELECT substring(row.source FROM '^[a-z]+:[0-9a-f-]{36}') AS base,
      coalesce(substring(row.source FROM '^[a-z]+:[0-9a-f-]{36}:([0-9]{1,9})')::int, 1) AS nth) AS named))
  LIMIT 1) IS NULL`;

/** SQL: the rows of the run `run`, which the ledger's row `row` belongs to, oldest first, and their sum. */
export const ROWS_OF_RUN = Prisma.sql`
  SELECT jsonb_agg(jsonb_build_object('id', part.id::text, 'type', part.type, 'amount', part.amount,
      'balanceAfter', part.balance_after, 'createdAt', part.created_at) ORDER BY part.id) AS parts,
    sum(part.amount)::int AS net
  FROM credit_transactions part
  WHERE part.user_id = row.user_id AND part.source = ANY (ARRAY(
    SELECT substring(row.source FROM '^[a-z]+:[0-9a-f-]{36}')
      || CASE nth WHEN 1 THEN '' ELSE ':' || nth END || ending
    FROM generate_series(1, run.extensions + 1) AS nth, unnest(ARRAY['', ':refund']) AS ending))`;
