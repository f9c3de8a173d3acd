import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import type { TaskName } from "~/models/upkeep/maintenance-limits";
import { jsonResponse, problemResponses } from "~/server/openapi/problem-responses";

const security = [{ cron: [] }];

const maintenanceSchema = z
  .object({
    generationsRefunded: z.int().meta({
      description: "Past their deadline, or of a process that died, where nobody can go on.",
    }),
    returnsMatched: z
      .int()
      .meta({ description: "Refunds and disputes whose payment has come meanwhile." }),
    deliveriesProcessed: z
      .int()
      .meta({ description: "Webhook deliveries that had failed or were left, and are done now." }),
    crossingsTold: z
      .int()
      .meta({ description: "Marks and limits that a spend went past, and whose job had failed." }),
    topUpsSettled: z
      .int()
      .meta({ description: "Automatic top-ups whose outcome wasn't known before, ended." }),
    subscriptionsEnded: z
      .int()
      .meta({ description: "Of deleted accounts, still charging: ended at the provider." }),
    grantsIssued: z.int().meta({ description: "Monthly grants that were due." }),
    lotsExpired: z.int().meta({ description: "Lots whose time was over, booked." }),
    expiriesAnnounced: z.int().meta({ description: "Lots about whose end an email was queued." }),
    emailsSent: z.int().meta({ description: "Emails that had not been sent before." }),
    figureDaysMade: z.int().meta({ description: "Days summed up for the figures." }),
    uploadsSwept: z.int().meta({ description: "Uploads never confirmed in time, or rejected." }),
    filesRemoved: z.int().meta({ description: "Deleted files, gone from the store for good." }),
    filesMoved: z.int().meta({ description: "Images made private or public." }),
    straysRemoved: z.int().meta({ description: "Objects without a file, gone for good." }),
    filesRejected: z.int().meta({ description: "Files replaced after their confirmation." }),
    dataUrlsPurged: z.int().meta({ description: "Generations whose unsaved images were dropped." }),
    sessionsRemoved: z.int(),
    tokensRemoved: z.int(),
    emailsRemoved: z
      .int()
      .meta({ description: "Queued 90 days ago, and sent or given up since then." }),
    challengesRemoved: z.int().meta({ description: "Steps of signing in that are over." }),
    payloadsDropped: z
      .int()
      .meta({ description: "Of deliveries processed 30 days ago, or dead and 180 days old." }),
    idempotencyKeysRemoved: z.int(),
    rateLimitsRemoved: z.int(),
    jobRunsRemoved: z.int(),
    rejectionsRemoved: z
      .int()
      .meta({ description: "Hours of refused webhook signatures, 90 days ago." }),
    crossingsRemoved: z
      .int()
      .meta({ description: "Notes on limits of months that are over, that emails were sent." }),
    processesRemoved: z.int().meta({ description: "Entries of processes that have ended." }),
    ledgerFaultsFound: z.int().meta({
      description: "Faults that `npm run ledger -- verify` would name, in a sample of accounts.",
    }),
    thumbnailsMade: z.int().meta({ description: "Pictures that got their thumbnails." }),
  } satisfies Record<TaskName, z.ZodInt>)
  .meta({ id: "Maintenance", description: "How much each task did in this run." });

const grantRunSchema = z
  .object({
    grants: z.int().meta({ description: "Months granted." }),
    subscriptions: z.int().meta({ description: "Subscriptions that got any." }),
    credits: z.int(),
    remaining: z.int().meta({
      description: "Still due: behind by more than one run catches up, or in another run's hands.",
    }),
  })
  .meta({ id: "GrantRun" });

export const cronPaths: ZodOpenApiPathsObject = {
  "/api/cron/subscription-credits": {
    get: {
      operationId: "grantMonthlyCredits",
      summary: "Daily at 00:05 UTC: grant the monthly credits that are due",
      description: "If some could not be granted, `grants_failed` has the same counts.",
      security,
      responses: {
        200: jsonResponse("Done; nothing due is fine, too.", grantRunSchema),
        ...problemResponses(["unauthenticated", "grants_failed", "cron_disabled"]),
      },
    },
  },
  "/api/cron/maintenance": {
    get: {
      operationId: "runMaintenance",
      summary: "Every five minutes: settle, sweep and retry what is left over",
      security,
      responses: {
        200: jsonResponse("Done.", maintenanceSchema),
        ...problemResponses(["unauthenticated", "maintenance_failed", "cron_disabled"]),
      },
    },
  },
};
