import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { DUE } from "~/models/billing/periods/grants.server";
import { IS_UNSETTLED } from "~/models/billing/top-ups/run-top-up.server";
import { IS_LOT_OVER } from "~/models/credits/expiries.server";
import { IS_DUE } from "~/models/emails/claims.server";
import { IS_STRAY } from "~/models/files/stray-objects.server";
import { isRemovable, isUnchecked, isUnconfirmed } from "~/models/files/sweeps.server";
import { IS_PICTURE_DUE } from "~/models/files/thumbnails-due.server";
import { MADE } from "~/models/images/generations.server";
import { IS_TO_MOVE } from "~/models/images/image-moves.server";
import { IS_LOST } from "~/models/metering/leases.server";
import { IS_UNTOLD } from "~/models/metering/untold-crossings.server";
import { MAINTENANCE_LIMITS, type TaskName } from "~/models/upkeep/maintenance-limits";
import { HAS_OLD_DATA_URLS, HAS_OLD_PAYLOAD, OUTDATED } from "~/models/upkeep/record-sweeps.server";
import { IS_OVERDUE } from "~/models/webhooks/inbox.server";

/** Nobody needs to know how many more there are, and counting them would take long. */
const MOST_COUNTED = 10_000;

const outdated = (kind: keyof typeof OUTDATED) => {
  const [table, isOver] = OUTDATED[kind];
  return Prisma.sql`${table} WHERE ${isOver}`;
};

/** SQL: the rows that wait for each task of maintenance; null for a task that looks at rows that never run out. */
const waitingRows = (): Record<TaskName, Prisma.Sql | null> => ({
  generationsRefunded: Prisma.sql`metered_runs run WHERE ${IS_LOST}`,
  deliveriesProcessed: Prisma.sql`webhook_inbox WHERE ${IS_OVERDUE}`,
  returnsMatched: Prisma.sql`payment_returns
    WHERE order_id IS NULL AND period_id IS NULL AND dropped_reason IS NULL`,
  crossingsTold: Prisma.sql`crossings WHERE ${IS_UNTOLD}`,
  topUpsSettled: Prisma.sql`top_ups WHERE ${IS_UNSETTLED}`,
  // Each of these is an error in the log already.
  subscriptionsEnded: null,
  grantsIssued: Prisma.sql`subscriptions WHERE ${DUE}`,
  lotsExpired: Prisma.sql`credit_transactions WHERE ${IS_LOT_OVER}`,
  // A late expiry only delays its announcement.
  expiriesAnnounced: null,
  emailsSent: Prisma.sql`outbox_emails WHERE ${IS_DUE}`,
  figureDaysMade: Prisma.sql`figure_days WHERE is_due OR is_sales_due`,
  uploadsSwept: Prisma.sql`files WHERE ${isUnconfirmed()}`,
  filesRemoved: Prisma.sql`files WHERE ${isRemovable()}`,
  filesMoved: Prisma.sql`files WHERE ${IS_TO_MOVE}`,
  straysRemoved: Prisma.sql`stray_objects WHERE ${IS_STRAY}`,
  filesRejected: Prisma.sql`files WHERE ${isUnchecked()}`,
  dataUrlsPurged: Prisma.sql`${MADE} WHERE ${HAS_OLD_DATA_URLS}`,
  sessionsRemoved: outdated("sessions"),
  tokensRemoved: outdated("tokens"),
  emailsRemoved: outdated("emails"),
  challengesRemoved: outdated("challenges"),
  payloadsDropped: Prisma.sql`webhook_inbox WHERE ${HAS_OLD_PAYLOAD}`,
  idempotencyKeysRemoved: outdated("idempotencyKeys"),
  rateLimitsRemoved: outdated("rateLimits"),
  jobRunsRemoved: outdated("jobRuns"),
  rejectionsRemoved: outdated("rejections"),
  crossingsRemoved: outdated("crossings"),
  processesRemoved: outdated("processes"),
  // A sample is never at its end.
  ledgerFaultsFound: null,
  thumbnailsMade: Prisma.sql`files WHERE ${IS_PICTURE_DUE}`,
});

/** SQL: a row `task, waiting` for each task, with at most 10,000 counted. */
export function countWaiting(): Prisma.Sql {
  const counts = Object.entries(waitingRows()).flatMap(([task, rows]) =>
    rows
      ? [
          Prisma.sql`SELECT ${task}::text AS task, count(*)::int AS waiting
            FROM (SELECT 1 FROM ${rows} LIMIT ${MOST_COUNTED}) AS counted`,
        ]
      : [],
  );
  return Prisma.join(counts, " UNION ALL ");
}

export interface Backlog {
  task: TaskName;
  /** Rows that are due now; 10,000 stands for more, too. */
  waiting: number;
  /** Most that one run of maintenance does. */
  limit: number;
}

/** Tasks for which more waits than one run of maintenance does. */
export async function listBacklogs(db: DatabaseOrTransaction = getDb()): Promise<Backlog[]> {
  const rows = await db.$queryRaw<{ task: TaskName; waiting: number }[]>(countWaiting());
  return rows
    .map((row) => ({ ...row, limit: MAINTENANCE_LIMITS[row.task] }))
    .filter(({ waiting, limit }) => waiting > limit);
}
