import { ACTIONS } from "~/catalog";
import { accountOf, getRun, type Run } from "~/models/metering/runs.server";
import { faultDetail } from "~/server/metering/fault-detail";
import { resultOf, resultsOf } from "~/server/metering/run-results.server";
import type { RunResponse } from "~/server/openapi/run-responses";

const STATUS = { reserved: "running", settled: "succeeded", refunded: "failed" } as const;

/** Returns a run as the JSON API does, with its whole result. */
export async function runResponse(run: Run): Promise<RunResponse> {
  return describeRun(run, run.status === "settled" ? await resultOf(run) : null);
}

/** The same for a list: a result's data are replaced by their addresses. */
export async function runResponses(runs: Run[]): Promise<RunResponse[]> {
  const results = await resultsOf(runs.filter(({ status }) => status === "settled"));
  return runs.map((run) => describeRun(run, results.get(run.id) ?? null));
}

function describeRun(run: Run, result: RunResponse["result"]): RunResponse {
  const { id: runId, action, status, error } = run;
  return {
    runId,
    action,
    status: STATUS[status],
    unit: ACTIONS[action].unit,
    unitsReserved: run.unitsReserved,
    unitsUsed: run.unitsUsed,
    creditsReserved: run.creditsReserved,
    creditsCharged: run.creditsCharged,
    balance: run.balanceAfter,
    provider: run.provider,
    result,
    error: error && { code: error, detail: faultDetail(error) },
    createdAt: run.createdAt.toISOString(),
    endedAt: run.settledAt?.toISOString() ?? null,
  };
}

/** The 202 to a request that doesn't wait for its run. */
export async function acceptedResponse({
  runId,
  userId,
}: {
  runId: string;
  userId: string;
}): Promise<Response> {
  const run = await getRun({ runId, accountId: accountOf({ id: userId }) });
  if (!run) throw new Error(`metered_runs: ${runId} is gone`);
  return Response.json(await runResponse(run), {
    status: 202,
    headers: {
      Location: `/api/runs/${run.id}`,
      "Preference-Applied": "respond-async",
      "Retry-After": "2",
    },
  });
}
