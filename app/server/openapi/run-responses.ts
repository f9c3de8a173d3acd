import { z } from "zod";
import { ACTIONS, type ActionKey } from "~/catalog";
import { growingResultSchema } from "~/server/openapi/growing-result";
import { generatedImagesSchema } from "~/server/openapi/image-responses";

const ACTION_KEYS = Object.keys(ACTIONS) as ActionKey[];

export const actionSchema = z.enum(ACTION_KEYS);

/** The result of an action's run. */
const resultSchema = z
  .union([z.object({ images: generatedImagesSchema }), growingResultSchema])
  .meta({
    id: "RunResult",
    description:
      "For `image`: its images, as `generateImage` returns them. For an action whose result grows, such as `text`: the text, and why it ended.",
  });

export const runSchema = z
  .object({
    runId: z.uuid(),
    action: actionSchema,
    status: z.enum(["running", "succeeded", "failed"]),
    unit: z.enum(["image", "token", "second", "call"]),
    unitsReserved: z.int(),
    unitsUsed: z.int(),
    creditsReserved: z.int(),
    creditsCharged: z.int().meta({ description: "0 while it runs." }),
    balance: z
      .int()
      .nullable()
      .meta({ description: "What could be spent when it ended; null while it runs." }),
    provider: z.string().nullable(),
    result: resultSchema.nullable(),
    error: z
      .object({ code: z.string(), detail: z.string() })
      .nullable()
      .meta({ description: "Why it failed, with the code of the synchronous response." }),
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Run" });

/** `result` is as the action has it. */
export type RunResponse = Omit<z.output<typeof runSchema>, "result"> & { result: object | null };

export const runsSchema = z
  .object({ runs: z.array(runSchema), nextCursor: z.string().nullable() })
  .meta({ id: "Runs" });

export type RunsResponse = { runs: RunResponse[]; nextCursor: string | null };

/** Headers of the 202 to a request that doesn't wait. */
export const ACCEPTED_HEADERS = z.object({
  Location: z.string().meta({ description: "The run's address: `/api/runs/{runId}`." }),
  "Preference-Applied": z.literal("respond-async"),
  "Retry-After": z.string().meta({ description: "Seconds before it is worth asking." }),
});
