import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { jsonAnswer, problemAnswers } from "~/server/openapi/problem-answers";

const security = [{ cron: [] }];

const maintenanceSchema = z
  .object({
    generationsRefunded: z.int().meta({ description: "Left charged by a process that died." }),
    deliveriesProcessed: z
      .int()
      .meta({ description: "Webhook deliveries that had failed or were left, and are done now." }),
    grantsIssued: z.int().meta({ description: "Monthly grants that were due." }),
  })
  .meta({ id: "Maintenance", description: "How much each task did in this run." });

export const cronPaths: ZodOpenApiPathsObject = {
  "/api/cron/maintenance": {
    get: {
      operationId: "runMaintenance",
      summary: "Every five minutes: settle, sweep and retry what is left over",
      security,
      responses: {
        200: jsonAnswer("Done.", maintenanceSchema),
        ...problemAnswers({
          401: ["unauthenticated"],
          500: ["maintenance_failed"],
          503: ["cron_disabled"],
        }),
      },
    },
  },
};
