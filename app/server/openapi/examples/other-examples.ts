import { creditsFor } from "~/catalog";
import { type Examples, problem } from "~/server/openapi/examples/example";

const SPENT = creditsFor("image", 2);

export const otherExamples: Examples = {
  getCredits: {
    oneSpend: {
      status: 200,
      response: {
        balance: 30,
        expiring: { amount: 30, at: "2026-12-21T00:00:00.000Z" },
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
        subscriptionsEnded: 0,
        grantsIssued: 0,
        lotsExpired: 2,
        expiriesAnnounced: 0,
        emailsSent: 0,
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
      },
    },
  },
};
