import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { jsonResponse } from "~/server/openapi/problem-responses";

const OPERATORS_ONLY = "Only with the cron bearer.";

const readinessSchema = z.object({
  status: z.enum(["ready", "not_ready"]),
  failing: z.array(z.enum(["stopping", "database", "migrations", "dailyGrants"])).meta({
    description:
      "Checks that did not pass. `stopping`: the process was told to end. `dailyGrants` alone leaves the status ready.",
  }),
  pendingMigrations: z.array(z.string()).optional().meta({ description: OPERATORS_ONLY }),
  dailyGrants: z
    .object({
      lastSuccessAt: z.iso.datetime().nullable(),
      overdue: z.boolean().meta({ description: "No success for 26 hours: look at the scheduler." }),
    })
    .optional()
    .meta({ description: OPERATORS_ONLY }),
  maintenance: z
    .object({
      lastSuccessAt: z.iso.datetime().nullable(),
      lastRunAt: z.iso.datetime().nullable(),
      failedTasks: z.array(z.string()).meta({ description: "Of the last run." }),
      overdue: z.boolean().meta({ description: "No success for 15 minutes." }),
    })
    .optional()
    .meta({ description: OPERATORS_ONLY }),
  processes: z
    .object({
      servers: z.int(),
      workers: z.int(),
      working: z.int().meta({ description: "Processes that do background work." }),
      sameSecret: z.boolean().meta({ description: "All have the same AUTH_SECRET." }),
      sameVersion: z.boolean(),
      running: z.array(
        z.object({
          kind: z.enum(["server", "worker"]),
          host: z.string(),
          pid: z.int(),
          version: z.string(),
          fingerprint: z.string().meta({ description: "The same for the same AUTH_SECRET." }),
        }),
      ),
    })
    .optional()
    .meta({ description: OPERATORS_ONLY }),
  refusedWebhooks: z
    .object({
      lastDay: z.int().meta({ description: "Refused for their signature in 24 hours." }),
      lastRejectedAt: z.iso.datetime().nullable(),
      lastAcceptedAt: z.iso.datetime().nullable(),
      suspicious: z.boolean().meta({
        description:
          "The provider's own were probably among them: npm run webhooks -- list --rejected.",
      }),
    })
    .optional()
    .meta({ description: OPERATORS_ONLY }),
});

export const healthPaths: ZodOpenApiPathsObject = {
  "/healthz": {
    get: {
      operationId: "health",
      summary: "Check that the process runs",
      security: [],
      responses: { 200: jsonResponse("It does.", z.object({ status: z.literal("ok") })) },
    },
  },
  "/readyz": {
    get: {
      operationId: "readiness",
      summary: "Check that the process can serve: database and migrations",
      description:
        "Where it cannot, the status is 503 and `not_ready`. At most a second old. Operators who send the bearer of the cron routes also get names and times.",
      security: [{}, { cron: [] }],
      responses: {
        200: jsonResponse("It can.", readinessSchema),
        503: jsonResponse("Service Unavailable: it cannot", readinessSchema),
      },
    },
  },
  "/api/openapi.json": {
    get: {
      operationId: "openapi",
      summary: "Get this document",
      security: [],
      responses: {
        200: jsonResponse("OpenAPI 3.1.", z.looseObject({})),
        304: { description: "The document that `If-None-Match` names is the current one." },
      },
    },
  },
};
