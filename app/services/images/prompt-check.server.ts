import { z } from "zod";
import { type Env, getEnv } from "~/env.server";
import { postToCreem } from "~/services/images/creem-request.server";
import { AppError } from "~/utils/app-error";

/**
 * Whether images may be generated from a prompt, asked before anything is charged. `externalId` is
 * ours, for the checker's records. Throws an AppError 500 generation_unavailable when there is no
 * verdict: an unchecked prompt goes no further.
 */
export type CheckPrompt = (input: {
  prompt: string;
  externalId: string;
}) => Promise<"allowed" | "rejected">;

interface CreemSettings {
  apiKey: string | null;
  apiBase: string;
  timeoutMs?: number;
}

const verdictSchema = z.object({ decision: z.enum(["allow", "flag", "deny"]) });

/** The check that the configured payment provider demands; null where it demands none. */
export function getPromptCheck(): CheckPrompt | null {
  return selectPromptCheck(getEnv().payments);
}

/** Creem demands its own check of every prompt from those it collects for; nobody else does. */
export function selectPromptCheck({
  enabled,
  provider,
  creem,
}: Pick<Env["payments"], "enabled" | "provider"> & { creem: CreemSettings }): CheckPrompt | null {
  return enabled && provider === "creem" ? createCreemPromptCheck(creem) : null;
}

/** Creem's moderation. What it only flags is rejected too, as its terms have it. */
function createCreemPromptCheck({
  apiKey,
  apiBase,
  timeoutMs = 10_000,
}: CreemSettings): CheckPrompt {
  return async ({ prompt, externalId }) => {
    try {
      if (apiKey === null) throw new Error("PROVIDER_B_API_KEY is not set");
      const answer = await postToCreem({
        apiKey,
        apiBase,
        path: "/moderation/prompt",
        body: { prompt, external_id: externalId },
        timeoutMs,
      });
      const { decision } = verdictSchema.parse(answer);
      return decision === "allow" ? "allowed" : "rejected";
    } catch (cause) {
      throw new AppError({
        code: "generation_unavailable",
        status: 500,
        publicMessage:
          "The prompt could not be checked, so no image was made. You were not charged. Try again in a few minutes.",
        cause,
      });
    }
  };
}
