/**
 * The tasks of maintenance in their order, each with the most that one run does. The rest waits for the next run;
 * `backlogs.server.ts` counts it.
 */
export const MAINTENANCE_LIMITS = {
  generationsRefunded: 500,
  deliveriesProcessed: 200,
  returnsMatched: 200,
  crossingsTold: 200,
  topUpsSettled: 50,
  subscriptionsEnded: 20,
  grantsIssued: 10_000,
  lotsExpired: 5000,
  expiriesAnnounced: 500,
  emailsSent: 500,
  figureDaysMade: 31,
  uploadsSwept: 200,
  filesRemoved: 200,
  filesMoved: 200,
  straysRemoved: 200,
  filesRejected: 200,
  dataUrlsPurged: 100,
  sessionsRemoved: 5000,
  tokensRemoved: 5000,
  emailsRemoved: 5000,
  challengesRemoved: 5000,
  payloadsDropped: 1000,
  idempotencyKeysRemoved: 5000,
  rateLimitsRemoved: 5000,
  jobRunsRemoved: 5000,
  rejectionsRemoved: 5000,
  crossingsRemoved: 5000,
  processesRemoved: 5000,
  ledgerFaultsFound: 40,
  // Last, since pictures take longest.
  thumbnailsMade: 50,
};

export type TaskName = keyof typeof MAINTENANCE_LIMITS;

export const MAINTENANCE_TASKS = Object.keys(MAINTENANCE_LIMITS) as TaskName[];
