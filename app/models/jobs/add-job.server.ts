import type { Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import {
  HEARTBEAT_SECONDS,
  JOB_KINDS,
  type JobData,
  type JobName,
  KEPT_DAYS,
  WAITING_DAYS,
} from "~/models/jobs/job-kinds";

export interface NewJob<Name extends JobName> {
  data: JobData<Name>;
  /** Seconds from the transaction's begin; by default at once. */
  startAfter?: number;
  /** Two jobs of one kind and id are one job. By default, each has an id of its own. */
  id?: string;
}

/** Adds a job, to be done at least once after the transaction has committed, by any process that can do it. */
export async function addJob<Name extends JobName>(
  name: Name,
  data: JobData<Name>,
  transaction: Transaction,
): Promise<void> {
  await addJobs(name, [{ data }], transaction);
}

/**
 * Adds jobs of one kind, and returns how many: those whose id exists are left as they are. The library's own `send`
 * needs an instance that has connected, which commands and servers with WORKER=off don't have.
 * tests/integration/jobs/schema.test.ts compares the rows of the two.
 */
export async function addJobs<Name extends JobName>(
  name: Name,
  jobs: readonly NewJob<Name>[],
  transaction: Transaction,
): Promise<number> {
  if (jobs.length === 0) return 0;
  const [row] = await transaction.$queryRaw<{ added: number }[]>`
    WITH added AS (
      ${insertJobs(name, jobs)}
      ON CONFLICT DO NOTHING
      RETURNING start_after
    ), woken AS (
      SELECT ${wake(name)}
      FROM added WHERE start_after <= now() LIMIT 1
    )
    SELECT (SELECT count(*) FROM added)::int AS added, (SELECT count(*) FROM woken) AS woken`;
  return row?.added ?? 0;
}

/** SQL: inserts jobs. A `WHERE` after it may name `item`. */
function insertJobs<Name extends JobName>(name: Name, jobs: readonly NewJob<Name>[]): Prisma.Sql {
  const { data } = JOB_KINDS[name];
  const items = jobs.map((job) => ({ ...job, data: data.parse(job.data) }));
  return insertItems(
    name,
    Prisma.sql`jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
        AS item (id uuid, data jsonb, "startAfter" float8)`,
  );
}

/** `item` is an SQL source of `id, data, "startAfter"`. */
function insertItems(name: JobName, item: Prisma.Sql): Prisma.Sql {
  const { retries, retryAfter, longestWait, longest } = JOB_KINDS[name];
  return Prisma.sql`
    INSERT INTO pgboss.job (id, name, data, start_after, keep_until, retry_limit, retry_delay,
      retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, heartbeat_seconds, policy)
    SELECT coalesce(item.id, gen_random_uuid()), ${name}, item.data, start.at,
      start.at + make_interval(days => ${WAITING_DAYS}::int), ${retries}::int, ${retryAfter}::int,
      ${retryAfter > 0}::boolean, ${longestWait}::int, ${longest}::int,
      ${KEPT_DAYS * 24 * 60 * 60}::int, ${HEARTBEAT_SECONDS}::int, 'standard'
    FROM ${item},
      LATERAL (SELECT now() + make_interval(secs => coalesce("startAfter", 0)) AS at) AS start`;
}

/**
 * SQL step for a statement's `WITH`, with a leading comma: adds a job if the step `cause` has a row. It wakes nobody,
 * so it is for jobs that start later.
 */
export const laterJobStep = <Name extends JobName>(
  name: Name,
  job: NewJob<Name> & { startAfter: number },
  cause: Prisma.Sql,
): Prisma.Sql => Prisma.sql`, job AS (
  ${insertJobs(name, [job])} WHERE EXISTS (SELECT FROM ${cause}))`;

/**
 * SQL step for a statement's `WITH`, with a leading comma: adds a job, to be done at once, for each row of the step
 * `cause`. `data` is an SQL expression on its columns, for the kind's data as `jsonb`. The step runs to its end although
 * nothing selects from it, so that the workers are woken.
 */
export const jobsStep = (
  name: JobName,
  { cause, data }: { cause: Prisma.Sql; data: Prisma.Sql },
): Prisma.Sql => Prisma.sql`, jobs AS (
  ${insertItems(name, Prisma.sql`(SELECT NULL::uuid AS id, ${data} AS data, 0 AS "startAfter" FROM ${cause}) AS item`)}
  RETURNING ${wake(name)})`;

/** SQL: wakes the workers that listen, once the transaction has committed. */
const wake = (name: JobName) =>
  Prisma.sql`pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), ${name})`;
