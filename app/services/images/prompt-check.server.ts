import { z } from "zod";
import type { PaymentProviderName } from "~/env/payments";
import { type Env, getEnv } from "~/env.server";
import { postToCreem } from "~/services/images/creem-request.server";
import { AppError } from "~/utils/app-error";

/**
 * Whether images may be generated from a prompt; called before anything is charged. `externalId` is our
 * id, for the checker's records. Throws AppError 500 generation_unavailable if there is no verdict: an
 * unchecked prompt is never used.
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

/** The check required by the configured payment provider; null if it requires none. */
export function getPromptCheck(): CheckPrompt | null {
  return selectPromptCheck(getEnv().payments);
}

/** Creem requires its own prompt check of every merchant it collects for; no other provider does. */
export function selectPromptCheck({
  enabled,
  provider,
  creem,
}: Pick<Env["payments"], "enabled" | "provider"> & { creem: CreemSettings }): CheckPrompt | null {
  return enabled && provider ? PROMPT_CHECKS[provider]({ creem }) : null;
}

const PROMPT_CHECKS: Record<
  PaymentProviderName,
  (settings: { creem: CreemSettings }) => CheckPrompt | null
> = {
  stripe: () => null,
  creem: ({ creem }) => createCreemPromptCheck(creem),
};

/** Creem's moderation. Prompts that it only flags are rejected too, as its terms require. */
function createCreemPromptCheck({
  apiKey,
  apiBase,
  timeoutMs = 10_000,
}: CreemSettings): CheckPrompt {
  return async ({ prompt, externalId }) => {
    try {
      if (apiKey === null) throw new Error("PROVIDER_B_API_KEY is not set");
      const response = await postToCreem({
        apiKey,
        apiBase,
        path: "/moderation/prompt",
        body: { prompt, external_id: externalId },
        timeoutMs,
      });
      const { decision } = verdictSchema.parse(response);
      return decision === "allow" ? "allowed" : "rejected";
    } catch (cause) {
      throw new AppError({
        code: "generation_unavailable",
        publicMessage:
          "We couldn't check the prompt, so we generated no image. You weren't charged. Try again in a few minutes.",
        cause,
      });
    }
  };
}
