import type { MeterRefusal } from "~/models/metering/start-run.server";
import { limitReached } from "~/server/limits/limit-reached.server";
import { idempotencyRefused } from "~/server/request/idempotency-key.server";
import { AppError } from "~/utils/app-error";
import { count } from "~/utils/metrics.server";

/**
 * Maps a refusal of `meter` (nothing was charged) to its error. `orElse` says what a person can do who buys no
 * credits, as in "Buy more credits, or ask for fewer images."
 */
export function runRefused(refusal: MeterRefusal, orElse: string): AppError {
  if (refusal.status === "limit_reached") return limitReached(refusal);
  if (refusal.status === "account_deleted")
    return new AppError({
      code: "unauthenticated",
      publicMessage: "This account was deleted. You weren't charged.",
    });
  if (refusal.status !== "insufficient") return idempotencyRefused(refusal.status);
  const { required, balance } = refusal;
  count("rcs_refusals_total", { limit: "credits" });
  return new AppError({
    code: "insufficient_credits",
    publicMessage: `This costs ${required} credits and you have ${balance}. You weren't charged. Buy more credits, or ${orElse}.`,
    extra: { required, balance },
  });
}
