import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { DUE } from "~/models/billing/periods/grants.server";
import { IS_DUE } from "~/models/emails/claims.server";
import { JOB_NAMES } from "~/models/jobs/job-kinds";
import { countWaiting } from "~/models/upkeep/backlogs.server";
import { RECORDED_WORK } from "~/models/upkeep/job-runs.server";
import { MAINTENANCE_LIMITS } from "~/models/upkeep/maintenance-limits";
import { IS_ALIVE } from "~/models/upkeep/server-processes.server";
import { REJECTION_HEALTH } from "~/models/webhooks/rejections.server";

/** One number of the database's state. */
interface Fact {
  help: string;
  /** The label that tells its rows apart; null for a single number. */
  label: "kind" | "action" | "task" | "work" | null;
  /** SQL: rows `label, value`. Every one reads an index that holds little more than what it counts. */
  rows(): Prisma.Sql;
}

/** Nobody needs to know how many more there are, and counting them would take long. */
const MOST = 10_000;
/** A grant that the next run of maintenance makes isn't late. */
const LATE_MINUTES = 15;

const secondsSince = (time: Prisma.Sql) =>
  Prisma.sql`coalesce(extract(epoch FROM now() - ${time}), 0)::float8`;

/** The number of rows, counted up to a maximum. */
const countOf = (rows: Prisma.Sql) =>
  Prisma.sql`SELECT ''::text AS label, count(*)::float8 AS value
    FROM (SELECT 1 FROM ${rows} LIMIT ${MOST}) AS counted`;

/** The same for each kind of job. */
const jobsThat = (condition: Prisma.Sql, value = Prisma.sql`count(*)::float8`) => Prisma.sql`
  SELECT kind.name AS label, (
    SELECT ${value} FROM (
      SELECT start_after FROM pgboss.job WHERE job.name = kind.name AND ${condition} LIMIT ${MOST}
    ) AS counted
  ) AS value
  FROM unnest(${[...JOB_NAMES]}::text[]) AS kind (name)`;

const JOB_WAITS = Prisma.sql`state IN ('created', 'retry') AND start_after <= now()`;

/** When this job last ran without a fault; 0 if it never did. */
const lastSuccess = (job: string) => Prisma.sql`
  (SELECT ${job}::text AS label, coalesce((
    SELECT extract(epoch FROM finished_at) FROM job_runs WHERE job = ${job} AND ok
    ORDER BY started_at DESC LIMIT 1), 0)::float8 AS value)`;

const countDistinct = (column: Prisma.Sql) => Prisma.sql`
  SELECT ''::text AS label, count(DISTINCT ${column})::float8 AS value
  FROM server_processes WHERE ${IS_ALIVE}`;

export const FACTS = {
  rcs_webhooks_oldest_unprocessed_seconds: {
    help: "Age of the oldest delivery that is under way or will be tried again; 0 if there is none.",
    label: null,
    rows: () => Prisma.sql`
      SELECT ''::text AS label, ${secondsSince(Prisma.sql`min(received_at)`)} AS value
      FROM webhook_inbox WHERE status IN ('processing', 'failed')`,
  },
  rcs_webhooks_unprocessed: {
    help: "Deliveries that are under way or will be tried again; dead ones are not counted.",
    label: null,
    rows: () => countOf(Prisma.sql`webhook_inbox WHERE status IN ('processing', 'failed')`),
  },
  rcs_webhooks_dead: {
    help: "Deliveries of the last 7 days that used up their attempts.",
    label: null,
    rows: () =>
      countOf(
        Prisma.sql`webhook_inbox WHERE status = 'dead' AND received_at > now() - interval '7 days'`,
      ),
  },
  rcs_grants_late: {
    help: "Subscriptions whose monthly credits are more than 15 minutes late.",
    label: null,
    rows: () =>
      countOf(Prisma.sql`subscriptions
        WHERE ${DUE} AND next_grant_at <= now() - make_interval(mins => ${LATE_MINUTES}::int)`),
  },
  rcs_runs_reserved: {
    help: "Runs that are going on, by action.",
    label: "action",
    rows: () => Prisma.sql`
      SELECT action AS label, count(*)::float8 AS value FROM metered_runs
      WHERE status = 'reserved' GROUP BY action`,
  },
  rcs_runs_past_deadline: {
    help: "Runs that should have ended: their credits are taken and not given back.",
    label: null,
    rows: () =>
      countOf(Prisma.sql`metered_runs
        WHERE status = 'reserved' AND lease_until <= now() AND deadline_at <= now()`),
  },
  rcs_jobs_waiting: {
    help: "Jobs that could begin and that no worker has taken.",
    label: "kind",
    rows: () => jobsThat(JOB_WAITS),
  },
  rcs_jobs_oldest_waiting_seconds: {
    help: "How long the oldest of them has waited.",
    label: "kind",
    rows: () => jobsThat(JOB_WAITS, secondsSince(Prisma.sql`min(start_after)`)),
  },
  rcs_jobs_failed: {
    help: "Jobs that failed for good and are still kept.",
    label: "kind",
    rows: () => jobsThat(Prisma.sql`state = 'failed'`),
  },
  rcs_emails_waiting: {
    help: "Emails that are due and not sent.",
    label: null,
    rows: () => countOf(Prisma.sql`outbox_emails WHERE ${IS_DUE}`),
  },
  rcs_emails_oldest_waiting_seconds: {
    help: "How long the oldest of them has been due.",
    label: null,
    rows: () => Prisma.sql`
      SELECT ''::text AS label, ${secondsSince(Prisma.sql`min(next_attempt_at)`)} AS value
      FROM outbox_emails WHERE next_attempt_at <= now()`,
  },
  rcs_emails_given_up: {
    help: "Emails of the last day that were given up.",
    label: null,
    rows: () =>
      countOf(Prisma.sql`outbox_emails
        WHERE created_at > now() - interval '1 day' AND sent_at IS NULL AND next_attempt_at IS NULL`),
  },
  rcs_last_success_timestamp_seconds: {
    help: "When scheduled work last ended without a fault, and the last backup by `npm run db:backup`; 0 for never.",
    label: "work",
    rows: () => Prisma.join(RECORDED_WORK.map(lastSuccess), " UNION ALL "),
  },
  rcs_maintenance_failed_task: {
    help: "1 for each task that failed in the last run of maintenance.",
    label: "task",
    rows: () => Prisma.sql`
      SELECT task AS label, 1::float8 AS value FROM (
        SELECT failed FROM job_runs WHERE job = 'maintenance' AND finished_at IS NOT NULL
        ORDER BY started_at DESC LIMIT 1
      ) AS last, unnest(last.failed) AS task`,
  },
  rcs_maintenance_waiting: {
    help: "Rows that wait for a task of maintenance, counted up to 10,000.",
    label: "task",
    rows: () =>
      Prisma.sql`SELECT task AS label, waiting::float8 AS value FROM (${countWaiting()}) AS waiting`,
  },
  rcs_maintenance_limit: {
    help: "Most rows that one run of maintenance does of each task.",
    label: "task",
    rows: () => Prisma.sql`
      SELECT task AS label, most::float8 AS value
      FROM unnest(${Object.keys(MAINTENANCE_LIMITS)}::text[], ${Object.values(MAINTENANCE_LIMITS)}::int[])
        AS known (task, most)`,
  },
  rcs_webhooks_suspicious: {
    help: "1 if the provider's own events are probably refused for their signature, else 0.",
    label: null,
    rows: () => Prisma.sql`
      SELECT ''::text AS label, ("lastDay" > 0 AND suspicious)::int::float8 AS value
      FROM (${REJECTION_HEALTH}) AS health`,
  },
  rcs_process_secrets: {
    help: "Different AUTH_SECRETs among the processes that run: more than 1 is a fault.",
    label: null,
    rows: () => countDistinct(Prisma.sql`fingerprint`),
  },
  rcs_process_versions: {
    help: "Different versions among the processes that run.",
    label: null,
    rows: () => countDistinct(Prisma.sql`version`),
  },
  rcs_ledger_faults: {
    help: "Faults that a sample of the ledger's accounts showed in the last day, since the last repair.",
    label: null,
    rows: () => Prisma.sql`
      SELECT ''::text AS label, coalesce(max((counts ->> 'ledgerFaultsFound')::float8), 0) AS value
      FROM job_runs
      WHERE job = 'maintenance' AND started_at > greatest(now() - interval '1 day',
        (SELECT max(created_at) FROM (
          SELECT created_at FROM credit_repairs ORDER BY id DESC LIMIT 1) AS repaired))`,
  },
} satisfies Record<string, Fact>;

export type FactName = keyof typeof FACTS;

export interface FactRow {
  metric: FactName;
  /** Empty for a single number. */
  label: string;
  value: number;
}

/** Reads all facts in one statement. */
export function readFacts(db: DatabaseOrTransaction = getDb()): Promise<FactRow[]> {
  const all = Object.entries(FACTS).map(
    ([metric, { rows }]) => Prisma.sql`
      SELECT ${metric}::text AS metric, label, value FROM (${rows()}) AS fact`,
  );
  return db.$queryRaw<FactRow[]>(Prisma.join(all, " UNION ALL "));
}
