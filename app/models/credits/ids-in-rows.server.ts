import { Prisma } from "~/generated/prisma/client";

// The ids that a row of the ledger names in its source or its reference, as SQL. A text of any other form names none: an operator
// chooses a part of some sources. A UUID is found without a regular expression, which takes as long as all else of a row.

/** SQL: the text as a UUID in its usual form; null for any other text. */
const uuidOf = (text: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE WHEN translate(${text}, '0123456789abcdef', '0000000000000000') = '00000000-0000-0000-0000-000000000000'
    THEN (${text})::uuid END`;

/** SQL: the id of the order or the paid period that a row names by its reference. */
export const saleIdOf = uuidOf;

/** SQL: the id of the run that a row belongs to, by its source as `runSource` makes it. */
export const runIdOf = (source: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE WHEN split_part(${source}, ':', 1) IN ('generation', 'run')
    THEN ${uuidOf(Prisma.sql`split_part(${source}, ':', 2)`)} END`;

/** SQL: the id of the lot that has ended, by the source of its expiry. */
export const expiredLotIdOf = (source: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE WHEN ${source} ~ '^expiry:[0-9]{1,18}:' THEN split_part(${source}, ':', 2)::bigint END`;
