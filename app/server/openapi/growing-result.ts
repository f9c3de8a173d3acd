import { z } from "zod";
import { FINISH_REASONS } from "~/models/metering/growing/growing-action";

/** A result that grew, as every response has it. */
export const growingResultSchema = z.object({
  text: z.string(),
  finishReason: z.enum(FINISH_REASONS).nullable().meta({
    description:
      "It ended by itself, at the limit you asked for, with your credits, at a limit of yours, or it broke off. Null once you deleted it.",
  }),
});
