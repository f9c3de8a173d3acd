import type { DatabaseOrTransaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";

/** Days in UTC, as `2026-10-01`, the last one included. */
export interface Days {
  first: string;
  last: string;
}

/** A table of summaries: its columns besides the id, and the query that makes its rows anew. */
export interface Summary {
  name: string;
  table: Prisma.Sql;
  columns: Prisma.Sql;
  rows(days: Days): Prisma.Sql;
}

/** Summaries that are made by one statement. */
export interface SummaryGroup {
  /** SQL: the steps of its `WITH` that the rows are selected from. */
  steps(days: Days, db: DatabaseOrTransaction): Promise<Prisma.Sql>;
  summaries: readonly Summary[];
}

/** SQL: the day (UTC) of a time. */
export const dayOf = (time: Prisma.Sql) => Prisma.sql`(${time} AT TIME ZONE 'UTC')::date`;

/** SQL: the time lies in these days. */
export const isWithin = (time: Prisma.Sql, { first, last }: Days) => Prisma.sql`(
  ${time} >= ${first}::date::timestamp AT TIME ZONE 'UTC'
  AND ${time} < (${last}::date + 1)::timestamp AT TIME ZONE 'UTC')`;
