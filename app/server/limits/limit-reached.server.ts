import type { LimitReached } from "~/models/metering/limits.server";
import { AppError } from "~/utils/app-error";
import { count } from "~/utils/metrics.server";

/** Builds the refusal of a run that would pass a monthly limit. */
export function limitReached({ scope, limit, used, resetsAt }: LimitReached): AppError {
  count("rcs_refusals_total", { limit: `spending-${scope}` });
  const whose = scope === "key" ? "this API key" : "your account";
  return new AppError({
    code: "limit_reached",
    publicMessage: `The monthly limit of ${whose} is ${limit} credits, and ${used} are used. You weren't charged. Raise the limit, or wait until it starts anew.`,
    extra: { limit, used, resetsAt: resetsAt.toISOString(), scope },
  });
}
