import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { parseJson } from "~/services/images/provider-failure.server";
import { exchange } from "~/services/outgoing/exchange.server";

export const predictionSchema = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  status: z.string().regex(/^\w{1,32}$/),
  output: z.unknown(),
  error: z.unknown(),
  urls: z.object({ get: z.string().nullish(), cancel: z.string().nullish() }).nullish(),
});

export type Prediction = z.output<typeof predictionSchema>;

const ENDED = ["succeeded", "failed", "canceled", "aborted"];
const MAX_POLL_MS = 3_000;
/** Limit for one poll, so that one lost response does not use up the deadline. */
const LOOK_MS = 10_000;
const CANCEL_MS = 2_000;

interface Waiting {
  prediction: Prediction;
  apiBase: string;
  headers: Record<string, string>;
  deadline: number;
  pollMs: number;
}

/**
 * Waits for a prediction to end. Returns null if the deadline comes first, after trying for up to two
 * seconds to cancel it. Polling is free, so a failed poll is retried.
 */
export async function awaitPrediction(waiting: Waiting): Promise<Prediction | null> {
  const { headers, deadline } = waiting;
  let { prediction, pollMs } = waiting;
  while (!ENDED.includes(prediction.status)) {
    if (performance.now() + pollMs >= deadline) {
      await cancel({ ...waiting, prediction });
      return null;
    }
    await sleep(pollMs);
    pollMs = Math.min(pollMs * 1.5, MAX_POLL_MS);
    const look = await exchange({
      purpose: "replicate",
      url: addressOf("get", waiting),
      method: "GET",
      headers,
      deadline: Math.min(deadline, performance.now() + LOOK_MS),
    });
    if (look.status !== "responded" || look.code !== 200) continue;
    prediction = predictionSchema.safeParse(parseJson(look.body)).data ?? prediction;
  }
  return prediction;
}

async function cancel(waiting: Waiting): Promise<void> {
  await exchange({
    purpose: "replicate",
    url: addressOf("cancel", waiting),
    method: "POST",
    headers: waiting.headers,
    deadline: performance.now() + CANCEL_MS,
  });
}

/** Replicate's own URL for this. It gets our token only if it has the API's own origin. */
function addressOf(action: "get" | "cancel", { prediction, apiBase }: Waiting): string {
  const given = prediction.urls?.[action];
  if (given && URL.canParse(given) && new URL(given).origin === new URL(apiBase).origin)
    return given;
  const own = `${apiBase}/v1/predictions/${prediction.id}`;
  return action === "get" ? own : `${own}/cancel`;
}
