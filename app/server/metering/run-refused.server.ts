import { areRunsStopping } from "~/models/metering/running.server";
import type { RunFault } from "~/models/metering/runs.server";
import type { MeterRefusal } from "~/models/metering/start-run.server";
import { limitReached } from "~/server/limits/limit-reached.server";
import { faultDetail } from "~/server/metering/fault-detail";
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

/** Maps a refunded run to its error. One that failed while the server stops may have failed for that. */
export function runRefunded(error: RunFault | null): AppError {
  const code = error ?? "generation_failed";
  if (code === "generation_failed" && areRunsStopping())
    return new AppError({
      code: "server_stopping",
      publicMessage:
        "The server is being restarted, so we couldn't finish it. We refunded you in full. Try again in a few seconds with a new Idempotency-Key.",
      headers: { "Retry-After": "5" },
    });
  return new AppError({ code, publicMessage: faultDetail(code) });
}
