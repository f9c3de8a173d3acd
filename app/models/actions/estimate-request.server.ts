import type { z } from "zod";
import type { ActionKey } from "~/catalog";
import { type Database, getDb } from "~/db.server";
import { ACTION_PARTS } from "~/models/actions/registry.server";
import { type Estimate, estimateRun } from "~/models/metering/estimate";
import { getFunds, getFundsWithDue } from "~/models/metering/funds.server";
import { accountOf } from "~/models/metering/runs.server";

interface EstimateRequest {
  userId: string;
  /** The key of a program; null for a session. */
  apiKeyId: string | null;
  action: ActionKey;
  /** The action's own body. */
  input: unknown;
}

export interface RequestEstimate extends Omit<Estimate, "reason"> {
  status: "estimated";
  reason: Estimate["reason"] | "generation_unavailable";
}

/** Estimates a request for a run as the action would take it now. Nothing changes. */
export async function estimateRequest(
  { userId, apiKeyId, action, input }: EstimateRequest,
  db: Database = getDb(),
): Promise<RequestEstimate | { status: "invalid"; error: z.ZodError }> {
  const { request, isReady } = ACTION_PARTS[action];
  const parsed = request.schema.safeParse(input);
  if (!parsed.success) return { status: "invalid", error: parsed.error };
  const run = { action, units: request.unitsOf(input) };
  const caller = { accountId: accountOf({ id: userId }), apiKeyId };
  let estimate = estimateRun({ ...run, ...(await getFunds(caller, db)) });
  if (estimate.missing > 0)
    estimate = estimateRun({ ...run, ...(await getFundsWithDue(caller, db)) });
  const isOff = isReady?.() === false;
  return {
    status: "estimated",
    ...estimate,
    ...(isOff ? { allowed: false, reason: "generation_unavailable" as const, left: 0 } : {}),
  };
}
