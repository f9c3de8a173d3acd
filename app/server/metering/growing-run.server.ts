import { setTimeout as delay } from "node:timers/promises";
import type { GrowingAction } from "~/models/metering/growing/growing-action";
import { getPart, getResult } from "~/models/metering/growing/growing-rows.server";
import {
  type AskToGrow,
  creditsAtFirst,
  noReader,
  startGrowing,
} from "~/models/metering/growing/start-growing.server";
import { getRun, type Run } from "~/models/metering/runs.server";
import { requireCaller } from "~/server/api-keys/caller.server";
import { growingBody } from "~/server/metering/growing-body";
import { limitRuns } from "~/server/metering/limit-runs.server";
import { runRefunded, runRefused } from "~/server/metering/run-refused.server";
import { acceptedResponse } from "~/server/metering/run-response.server";
import { apiRoute } from "~/server/request/api-route.server";
import { acceptsEvents, eventStream } from "~/server/request/event-stream.server";
import { readIdempotencyKey } from "~/server/request/idempotency-key.server";
import { prefersAsync } from "~/server/request/prefer.server";
import { readJson } from "~/server/request/read-body.server";
import { AppError } from "~/utils/app-error";

/** Bytes of a body: 20,000 characters, each escaped in JSON or percent-encoded in a form. */
export const MOST_BYTES = 256 * 1024;

/** The API's route of an action whose result grows: whole JSON, a stream, or the run alone. */
export function growingRoute(action: GrowingAction) {
  const body = growingBody(action.schema);
  return apiRoute({
    async POST({ request, context }) {
      if (!action.isOn())
        throw new AppError({
          code: "not_found",
          publicMessage: "This is off on this server.",
        });
      const { id: userId, apiKeyId } = await requireCaller(request);
      await limitRuns(action.key, userId);
      const idempotencyKey = readIdempotencyKey(request);
      const { stream, ...wanted } = await readJson(request, body, MOST_BYTES);
      const asked = { userId, apiKeyId, request: wanted, idempotencyKey };
      if (stream || acceptsEvents(request)) return streamed(context.whenLeft(), action, asked);
      if (!prefersAsync(request))
        return bodyOf(action, await (await beginGrowing(action, asked)).ended);
      const { runId } = await beginGrowing(action, { ...asked, isAsynchronous: true });
      return acceptedResponse({ runId, userId });
    },
  });
}

interface BegunGrowth {
  runId: string;
  /** The run if an earlier request ended it; null for one that goes on. */
  run: Run | null;
  /** Resolves once the run has ended; at once for one that another request waits for. */
  ended: Promise<Run | null>;
}

/**
 * Begins a run, or finds an earlier one. A repeated request is refused while the first is in progress, unless it
 * doesn't wait for the end.
 * @throws AppError if it was refused and nothing was charged
 */
export async function beginGrowing(
  action: GrowingAction,
  asked: AskToGrow,
  reader = noReader(),
): Promise<BegunGrowth> {
  const result = await startGrowing(action, asked, reader);
  if (result.status === "generation_unavailable")
    throw new AppError({
      code: result.status,
      publicMessage: "We can't do this right now. You weren't charged. Try again later.",
    });
  if (result.status === "ended")
    return { run: result.run, runId: result.run.id, ended: Promise.resolve(result.run) };
  if (asked.isAsynchronous && result.status === "idempotency_in_progress")
    return { run: null, runId: result.runId, ended: Promise.resolve(null) };
  if (result.status !== "started") throw runRefused(result, "ask for less");
  return { run: null, runId: result.runId, ended: result.ended };
}

/**
 * Sends a result while it is made. A client that leaves ends it, and pays for what came. A result of an earlier
 * request comes in one piece.
 * @throws AppError if it was refused: then no stream begins
 */
async function streamed(
  left: AbortSignal,
  action: GrowingAction,
  asked: AskToGrow,
): Promise<Response> {
  // Written before anybody listens, since the run begins first.
  let waiting = "";
  let onText = (text: string): void => {
    waiting += text;
  };
  const begun = await beginGrowing(action, asked, {
    signal: left,
    onText: (text) => onText(text),
  });
  return eventStream(left, async (send) => {
    const { runId } = begun;
    const creditsReserved = begun.run?.creditsReserved ?? creditsAtFirst(action, asked.request);
    send("run", { runId, creditsReserved });
    onText = (text) => send("delta", { text });
    if (waiting) onText(waiting);
    const { text, ...done } = await bodyOf(action, await begun.ended);
    if (begun.run) onText(text);
    send("done", done);
  });
}

/** A reader sees a part at most so long after it was kept. */
const LOOK_MS = 300;

/** Sends a run's result from its beginning, and goes on with it until it ends, whichever process makes it. */
export function followed(
  left: AbortSignal,
  action: GrowingAction,
  { id: runId, accountId, creditsReserved }: Run,
): Response {
  return eventStream(left, async (send) => {
    send("run", { runId, creditsReserved });
    let sent = 0;
    let isRunning = true;
    while (isRunning && !left.aborted) {
      const part = await getPart(action.table, { runId, accountId });
      if (!part) break;
      isRunning = part.isRunning;
      if (part.text.length > sent) send("delta", { text: part.text.slice(sent) });
      sent = part.text.length;
      if (isRunning) await delay(LOOK_MS);
    }
    const { text: _text, ...done } = await bodyOf(action, await getRun({ runId, accountId }));
    send("done", done);
  });
}

/** The body of a response. @throws AppError if the run was refunded */
async function bodyOf({ table }: GrowingAction, run: Run | null) {
  if (run?.status !== "settled") throw runRefunded(run?.error ?? null);
  const { id: runId, accountId, creditsCharged, balanceAfter: balance } = run;
  const kept = await getResult(table, { runId, accountId });
  const usage = Object.fromEntries(Object.keys(table.usage).map((kind) => [kind, 0]));
  const deleted = { text: "", finishReason: null, usage };
  return { runId, ...(kept ?? deleted), creditsCharged, balance };
}
