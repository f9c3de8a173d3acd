import { z } from "zod";
import type { Reply } from "../world/http";
import { Fault } from "./fault";

// The API's promises, as far as they are judged. Written from docs/http-api.md.

export const creditsAnswer = z.object({
  balance: z.int(),
  lots: z.array(z.object({ id: z.string(), amount: z.int(), remaining: z.int() })).nullable(),
  transactions: z.array(
    z.object({ id: z.string(), type: z.string(), amount: z.int(), balanceAfter: z.int() }),
  ),
  nextCursor: z.string().nullable(),
});

export const runAnswer = z.object({
  runId: z.string(),
  action: z.string(),
  status: z.enum(["running", "succeeded", "failed"]),
  unitsUsed: z.int(),
  creditsReserved: z.int(),
  creditsCharged: z.int(),
  balance: z.int().nullable(),
  error: z.object({ code: z.string() }).nullable(),
});

export const runsAnswer = z.object({ runs: z.array(runAnswer) });

export const imageAnswer = z.object({
  generationId: z.string(),
  images: z.array(z.object({ url: z.string() })),
  creditsCharged: z.int(),
  balance: z.int(),
});

/** A text that has ended, without its words. */
export const textEnd = z.object({
  finishReason: z.string().nullable(),
  usage: z.object({ inputTokens: z.int(), outputTokens: z.int() }),
  creditsCharged: z.int(),
  balance: z.int(),
});

export const textAnswer = textEnd.extend({ runId: z.string(), text: z.string() });

export const estimateAnswer = z.object({
  units: z.int(),
  credits: z.int(),
  balance: z.int(),
  allowed: z.boolean(),
  reason: z.string().nullable(),
});

export const checkoutAnswer = z.object({ sessionId: z.string(), url: z.string() });

export const shortageAnswer = z.object({ required: z.int(), balance: z.int() });

export const problem = z.looseObject({ code: z.string() });

/** @throws Fault if the body isn't of this shape */
export function readAnswer<Shape extends z.ZodType>(reply: Reply, shape: Shape): z.output<Shape> {
  let body: unknown;
  try {
    body = JSON.parse(reply.text);
  } catch {
    throw new Fault(`a response ${reply.status} is no JSON: ${reply.text.slice(0, 200)}`);
  }
  const read = shape.safeParse(body);
  if (read.success) return read.data;
  throw new Fault(`a response ${reply.status} has another shape: ${reply.text.slice(0, 300)}`);
}

/** The code of a refusal; null for a response that is none. */
export function codeOf(reply: Reply): string | null {
  if (reply.status < 400) return null;
  try {
    const read = problem.safeParse(JSON.parse(reply.text));
    return read.success ? read.data.code : null;
  } catch {
    return null;
  }
}

/** Codes that say: not now. What became of the request may be unknown. */
export const NOT_NOW = new Set([
  ...["internal_error", "busy", "run_delayed", "server_stopping", "webhook_failed"],
  ...["provider_error", "maintenance_failed", "grants_failed", "uploads_busy", "outcome_unknown"],
]);
