import { z } from "zod";
import { actionSchema } from "~/server/openapi/run-responses";

/** The body of POST /api/estimate, before the action checks its input. */
export const estimateBodySchema = z.object({ action: z.string(), input: z.unknown() });

export const estimateSchema = z
  .object({
    action: actionSchema,
    units: z.int().meta({ description: "Units that would be reserved." }),
    credits: z
      .int()
      .meta({ description: "Credits that would be taken at first. What isn't used goes back." }),
    balance: z.int().meta({ description: "What can be spent now, in credits." }),
    allowed: z.boolean().meta({ description: "Whether the action would begin now." }),
    reason: z
      .enum(["insufficient_credits", "limit_reached", "generation_unavailable"])
      .nullable()
      .meta({ description: "The code of the refusal." }),
  })
  .meta({ id: "Estimate" });

export type EstimateResponse = z.output<typeof estimateSchema>;
