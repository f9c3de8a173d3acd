import { z } from "zod";

/** Faults of the stand-in. A number is that HTTP status. */
export const FAULTS = [
  "400",
  "401",
  "402",
  "403",
  "404",
  "429",
  "500",
  "503",
  /** A 429 that no waiting ends. */
  "insufficient_quota",
  /** The content policy refuses the prompt: a 400. */
  "refusal",
  /** A 400 for `max_completion_tokens`, as from an endpoint that knows `max_tokens` only; none without it. */
  "old_limit",
  /** The request is accepted and never responded to. */
  "hang",
  /** The connection is reset after the request is read. */
  "reset",
  "invalid_json",
  /** 200 without any text. */
  "empty",
  /** The text stops after some pieces, and nothing more comes. */
  "stall",
  /** The connection ends after some pieces. */
  "break",
  /** The response ends after some pieces, without a reason and without usage. */
  "end",
  /** An error stands in the stream after some pieces. */
  "error",
  /** The content policy ends the text after some pieces. */
  "filter",
  /** The text goes on beyond the limit that was asked for. */
  "no_limit",
  /** The whole text comes in one piece. */
  "one_piece",
  /** Ten times the tokens, or a tenth of them, are reported. */
  "usage_much",
  "usage_little",
  /** No usage is reported, or one of nothing, or nonsense. */
  "usage_none",
  "usage_zero",
  "usage_absurd",
] as const;

export type FaultName = (typeof FAULTS)[number];

/** One order: the next `times` calls show this fault. */
export const faultOrderSchema = z.strictObject({
  fault: z.enum(FAULTS),
  times: z.int().min(1).default(1),
  /** Seconds in a `Retry-After` header. */
  retryAfter: z.number().min(0).optional(),
  /** Pieces that come before it. */
  pieces: z.int().min(0).default(5),
});

export type Fault = Pick<z.output<typeof faultOrderSchema>, "fault" | "retryAfter" | "pieces">;
