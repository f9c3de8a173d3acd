import { creditsFor, PLANS } from "~/catalog";
import { type Examples, problem } from "~/server/openapi/examples/example";

const SPENT = creditsFor("image", 2);

const RUN_ID = "fdcb7819-801e-46e6-9722-d3003b2e0609";
const NO_CAUSE = {
  orderId: null,
  subscriptionPaymentId: null,
  planKey: null,
  runId: null,
  action: null,
  lotId: null,
};
const MONTH = {
  subscriptionPaymentId: "1f7c7a0e-6a4c-4a39-9d0e-0a5b2f1f8f9d",
  planKey: PLANS[0].planKey,
};

export const otherExamples: Examples = {
  estimate: {
    tooDear: {
      body: { action: "image", input: { prompt: "A lighthouse at dusk", n: 2 } },
      status: 200,
      response: {
        action: "image",
        units: 2,
        credits: SPENT,
        balance: 5,
        allowed: false,
        reason: "insufficient_credits",
      },
    },
    unknownAction: {
      body: { action: "video", input: {} },
      ...problem("unknown_action", "There is no such action. Use one of: image, text."),
    },
  },
  getCredits: {
    oneSpend: {
      status: 200,
      response: {
        balance: 30,
        expiring: { amount: 30, at: "2026-12-21T00:00:00.000Z" },
        lots: [
          {
            id: "1",
            cause: { kind: "month", ...NO_CAUSE, ...MONTH },
            amount: SPENT + 30,
            remaining: 30,
            expiresAt: "2026-12-21T00:00:00.000Z",
            createdAt: "2026-11-21T14:00:37.927Z",
            uses: [{ for: "run", action: "image", credits: SPENT }],
          },
        ],
        transactions: [
          {
            id: "2",
            type: "deduction",
            amount: -SPENT,
            balanceAfter: 30,
            remaining: null,
            expiresAt: null,
            description: null,
            createdAt: "2026-11-21T14:00:37.979Z",
            cause: { kind: "run", ...NO_CAUSE, runId: RUN_ID, action: "image" },
            apiKey: null,
            lots: [{ id: "1", amount: -SPENT }],
          },
          {
            id: "1",
            type: "grant",
            amount: SPENT + 30,
            balanceAfter: SPENT + 30,
            remaining: 30,
            expiresAt: "2026-12-21T00:00:00.000Z",
            description: null,
            createdAt: "2026-11-21T14:00:37.927Z",
            cause: { kind: "month", ...NO_CAUSE, ...MONTH },
            apiKey: null,
            lots: [],
          },
        ],
        nextCursor: null,
      },
    },
    noSession: problem("unauthenticated", "Sign in first, and send the session cookie."),
  },
  passkeyOptions: {
    signIn: {
      body: { purpose: "sign_in" },
      status: 200,
      response: {
        rpId: "example.com",
        challenge: "vC1cGkN2yq0bQ3zF0o3H1Jm5lq7sYw8xTn4aPzR6uEk",
        timeout: 300_000,
        userVerification: "required",
      },
    },
  },
  grantMonthlyCredits: {
    done: { status: 200, response: { grants: 2, subscriptions: 2, credits: 1500, remaining: 0 } },
  },
  runMaintenance: {
    done: {
      status: 200,
      response: {
        generationsRefunded: 0,
        deliveriesProcessed: 0,
        returnsMatched: 0,
        crossingsTold: 0,
        topUpsSettled: 0,
        subscriptionsEnded: 0,
        grantsIssued: 0,
        lotsExpired: 2,
        expiriesAnnounced: 0,
        emailsSent: 0,
        figureDaysMade: 1,
        uploadsSwept: 0,
        filesRemoved: 0,
        filesMoved: 0,
        straysRemoved: 0,
        filesRejected: 0,
        dataUrlsPurged: 0,
        sessionsRemoved: 1,
        tokensRemoved: 0,
        emailsRemoved: 0,
        challengesRemoved: 0,
        payloadsDropped: 0,
        idempotencyKeysRemoved: 0,
        rateLimitsRemoved: 12,
        jobRunsRemoved: 0,
        rejectionsRemoved: 0,
        crossingsRemoved: 0,
        processesRemoved: 0,
        ledgerFaultsFound: 0,
        thumbnailsMade: 0,
      },
    },
  },
  health: { running: { status: 200, response: { status: "ok" } } },
  readiness: {
    ready: { status: 200, response: { status: "ready", failing: [] } },
    withBearer: {
      status: 200,
      response: {
        status: "ready",
        failing: [],
        pendingMigrations: [],
        dailyGrants: { lastSuccessAt: "2026-11-21T00:05:01.220Z", overdue: false },
        refusedWebhooks: {
          lastDay: 12,
          lastRejectedAt: "2026-11-21T14:02:11.873Z",
          lastAcceptedAt: "2026-11-20T22:40:05.114Z",
          suspicious: true,
        },
        maintenance: {
          lastSuccessAt: "2026-11-21T14:00:02.114Z",
          overdue: false,
          failedTasks: [],
          lastRunAt: "2026-11-21T14:00:02.114Z",
        },
        processes: {
          servers: 1,
          workers: 0,
          working: 1,
          sameSecret: true,
          sameVersion: true,
          running: [
            {
              kind: "server",
              host: "shop-1",
              pid: 4711,
              version: "1.0.0",
              fingerprint: "9f2c41d07be3",
            },
          ],
        },
      },
    },
  },
};
