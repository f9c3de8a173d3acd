import { z } from "zod";
import type { FailureClass } from "~/services/images/image-provider.server";
import { classifyStatus, describe, parseJson } from "~/services/images/provider-failure.server";

const REFUSALS = ["moderation_blocked", "content_policy_violation", "content_filter"];
/** They arrive with status 429 and 400. Only the code tells them from a rate limit or a bad request. */
const OUT_OF_FUNDS = ["insufficient_quota", "billing_hard_limit_reached"];

const errorSchema = z.object({
  error: z.object({ code: z.string().nullish(), param: z.string().nullish() }),
});

/** Classifies a refusal of an API with OpenAI's errors. `reason` is for the log. */
export function classifyOpenai({ code, body }: { code: number; body: string }): {
  status: FailureClass;
  reason: string;
} {
  const error = errorSchema.safeParse(parseJson(body)).data?.error;
  const providerCode = error?.code ?? "";
  const reason = describe(code, providerCode);
  if (REFUSALS.includes(providerCode)) return { status: "refused", reason };
  // An unknown model is also a 400, about a parameter that no user chose.
  if (OUT_OF_FUNDS.includes(providerCode) || error?.param === "model")
    return { status: "auth", reason };
  const retryable = code === 408 || code === 409 || code >= 500;
  return { status: classifyStatus(code) ?? (retryable ? "transient" : "ambiguous"), reason };
}
