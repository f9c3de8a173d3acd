import { setTimeout as delay } from "node:timers/promises";
import { getEnv } from "~/env.server";
import { areRunsStopping } from "~/models/metering/running.server";
import { accountOf, getRun, type Run } from "~/models/metering/runs.server";
import { creditsAtFirst, type GenerateText, startText } from "~/models/text/generate-text.server";
import { getPart, getText } from "~/models/text/texts.server";
import { faultDetail } from "~/server/metering/fault-detail";
import { runRefused } from "~/server/metering/run-refused.server";
import { eventStream } from "~/server/request/event-stream.server";
import { getTextWriter } from "~/services/text/configured-writer.server";
import { AppError } from "~/utils/app-error";

/** @throws AppError 404 not_found while text generation is off */
export function requireTextGeneration(): void {
  if (getEnv().text.enabled) return;
  throw new AppError({
    code: "not_found",
    publicMessage: "Text generation is off on this server.",
  });
}

/** @throws Response 404 while text generation is off */
export function requirePageTextGeneration(): void {
  if (!getEnv().text.enabled) throw new Response(null, { status: 404 });
}

type Asked = Omit<GenerateText, "signal" | "onText">;

interface BegunText {
  runId: string;
  /** The run if an earlier request ended it; null for one that goes on. */
  run: Run | null;
  /** Resolves once the run has ended; at once for one that another request waits for. */
  ended: Promise<Run | null>;
}

/**
 * Begins a text, or finds an earlier one. A repeated request is refused while the first is in progress, unless it
 * doesn't wait for the end.
 * @throws AppError if it was refused and nothing was charged
 */
export async function beginText(input: GenerateText): Promise<BegunText> {
  const writer = getTextWriter();
  if (!writer)
    throw new AppError({
      code: "generation_unavailable",
      publicMessage: "We can't write texts right now. You weren't charged. Try again later.",
    });
  const result = await startText(input, writer);
  if (result.status === "ended")
    return { run: result.run, runId: result.run.id, ended: Promise.resolve(result.run) };
  if (input.isAsynchronous && result.status === "idempotency_in_progress")
    return { run: null, runId: result.runId, ended: Promise.resolve(null) };
  if (result.status !== "started") throw runRefused(result, "ask for a shorter text");
  return { run: null, runId: result.runId, ended: result.ended };
}

/** Begins a text that nobody waits for, or finds it. @throws AppError if it was refused */
export async function acceptText(input: Asked): Promise<Run> {
  const { signal } = new AbortController();
  const asked = { ...input, isAsynchronous: true, signal, onText: () => undefined };
  const { runId } = await beginText(asked);
  const run = await getRun({ runId, accountId: accountOf({ id: input.userId }) });
  if (!run) throw new Error(`metered_runs: ${runId} is gone`);
  return run;
}

/** Writes a text and returns it whole. @throws AppError if it was refused or refunded */
export async function writtenText(input: Asked) {
  const { signal } = new AbortController();
  const begun = await beginText({ ...input, signal, onText: () => undefined });
  return textResult(await begun.ended);
}

/**
 * Sends a text while it is written. A client that leaves ends it, and pays for what was made. A text of an earlier
 * request comes in one piece.
 * @throws AppError if it was refused: then no stream begins
 */
export async function streamedText(request: Request, input: Asked): Promise<Response> {
  // Written before anybody listens, since the run begins first.
  let waiting = "";
  let onText = (text: string): void => {
    waiting += text;
  };
  const begun = await beginText({
    ...input,
    signal: request.signal,
    onText: (text) => onText(text),
  });
  return eventStream(request, async (send) => {
    const { runId } = begun;
    const creditsReserved = begun.run?.creditsReserved ?? creditsAtFirst(input.request);
    send("run", { runId, creditsReserved });
    onText = (text) => send("delta", { text });
    if (waiting) onText(waiting);
    const { text, ...done } = await textResult(await begun.ended);
    if (begun.run) onText(text);
    send("done", done);
  });
}

/** A reader sees a part at most so long after it was kept. */
const LOOK_MS = 300;

/** Sends a run's text from its beginning, and goes on with it until it ends, whichever process writes it. */
export function followedText(
  request: Request,
  { id: runId, accountId, creditsReserved }: Run,
): Response {
  return eventStream(request, async (send) => {
    send("run", { runId, creditsReserved });
    let sent = 0;
    let isRunning = true;
    while (isRunning && !request.signal.aborted) {
      const part = await getPart({ runId, accountId });
      if (!part) break;
      isRunning = part.isRunning;
      if (part.text.length > sent) send("delta", { text: part.text.slice(sent) });
      sent = part.text.length;
      if (isRunning) await delay(LOOK_MS);
    }
    const { text: _text, ...done } = await textResult(await getRun({ runId, accountId }));
    send("done", done);
  });
}

/** The body of a response. @throws AppError if the run was refunded */
async function textResult(run: Run | null) {
  if (run?.status !== "settled") throw refundedError(run);
  const { id: runId, accountId, creditsCharged, balanceAfter: balance } = run;
  const kept = await getText({ runId, accountId });
  const deleted = { text: "", finishReason: null, usage: { inputTokens: 0, outputTokens: 0 } };
  return { runId, ...(kept ?? deleted), creditsCharged, balance };
}

function refundedError(run: Run | null): AppError {
  const code = run?.error ?? "generation_failed";
  if (code === "generation_failed" && areRunsStopping())
    return new AppError({
      code: "server_stopping",
      publicMessage:
        "The server is being restarted, so we couldn't finish the text. We refunded you in full. Try again in a few seconds with a new Idempotency-Key.",
      headers: { "Retry-After": "5" },
    });
  return new AppError({ code, publicMessage: faultDetail("text", code) });
}
