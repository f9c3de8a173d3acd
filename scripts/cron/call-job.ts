import { z } from "zod";
import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";
import { describeError } from "~/utils/describe-error";
import type { Job } from "./jobs";

/** Milliseconds before the second, third and fourth attempt. */
const RETRY_AFTER_MS = [2_000, 15_000, 60_000];
/** Maximum number of characters read from a response: the address may serve someone else's page. */
const MOST_READ = 10_000;

export type JobResult =
  | { status: "ok"; attempts: number; ms: number; counts: Record<string, number> }
  /** `reason` is safe to log: it has no secret and no personal address. */
  | { status: "failed"; attempts: number; ms: number; reason: string }
  /** Aborted on request before the result was known. */
  | { status: "aborted"; attempts: number; ms: number };

export interface CallOptions {
  job: Job;
  baseUrl: string;
  secret: string;
  /** For one attempt, including the response body. */
  timeoutMs: number;
  /** Aborts the call at once, also during a wait or an attempt. */
  signal: AbortSignal;
  onRetry(failure: { attempt: number; reason: string; waitMs: number }): void;
  /** Resolves after `ms` milliseconds, or earlier when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

/**
 * Calls a job's route until it succeeds, at most four times. The routes can run concurrently, so a retry
 * is safe even while the first call is still running.
 */
export async function callJob(options: CallOptions): Promise<JobResult> {
  const { signal, onRetry, wait, now } = options;
  const began = now();
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce(options);
    const facts = { attempts: attempt, ms: Math.round(now() - began) };
    if (outcome.status === "ok") return { ...outcome, ...facts };
    if (signal.aborted) return { status: "aborted", ...facts };
    const { reason, isFinal } = outcome;
    const waitMs = RETRY_AFTER_MS[attempt - 1];
    if (isFinal || waitMs === undefined) return { status: "failed", reason, ...facts };
    onRetry({ attempt, reason, waitMs });
    await wait(waitMs, signal);
    if (signal.aborted) return { status: "aborted", ...facts };
  }
}

type Outcome =
  | { status: "ok"; counts: Record<string, number> }
  /** `isFinal`: a retry would fail the same way. */
  | { status: "failed"; reason: string; isFinal: boolean };

async function attemptOnce(options: CallOptions): Promise<Outcome> {
  const { job, baseUrl, secret, timeoutMs, signal } = options;
  try {
    const response = await outgoingFetch("site")(new URL(job.path, baseUrl), {
      headers: { Authorization: `Bearer ${secret}`, Accept: "application/json" },
      // Following a redirect would send the secret wherever it points.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    return readResponse(response.status, (await response.text()).slice(0, MOST_READ));
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    const reason = isTimeout ? `no response within ${timeoutMs / 1000} s` : describeError(error);
    return { status: "failed", reason, isFinal: false };
  }
}

const countsSchema = z.record(z.string(), z.number());
const problemSchema = z.object({ code: z.string(), detail: z.string().optional() });

function readResponse(status: number, text: string): Outcome {
  const json = parseJson(text);
  if (status === 200) {
    const { success, data } = countsSchema.safeParse(json);
    if (success) return { status: "ok", counts: data };
    return failed("status 200 without counts: is this the service's address?", true);
  }
  const problem = problemSchema.safeParse(json).data;
  const words = [`status ${status}`, problem?.code, problem?.detail].filter(Boolean).join(", ");
  if (status === 401) return failed(`${words}: CRON_SECRET differs from the server's`, true);
  if (status >= 300 && status < 400)
    return failed(`${words}, a redirect: give the address it leads to`, true);
  // A configuration error, unlike a server that is still starting.
  if (problem?.code === "cron_disabled") return failed(words, true);
  return failed(words, status < 500 && status !== 408 && status !== 429);
}

function failed(reason: string, isFinal: boolean): Outcome {
  return { status: "failed", reason, isFinal };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
