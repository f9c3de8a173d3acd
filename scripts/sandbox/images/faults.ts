import { z } from "zod";

export const PROVIDERS = ["fal", "replicate", "openai"] as const;

export type Provider = (typeof PROVIDERS)[number];

/** Faults of all three providers, each in its own format. A number is that HTTP status. */
const COMMON = [
  "400",
  "401",
  "402",
  "403",
  "404",
  "408",
  "409",
  "422",
  "429",
  "500",
  "502",
  "503",
  "504",
  /** The request is accepted and never responded to. */
  "hang",
  /** The connection is reset after the request is read. */
  "reset",
  /** The connection ends in the middle of the response. */
  "cut",
  /** The normal result, after `delayMs`. */
  "slow",
  "invalid_json",
  "empty_list",
  /** The content policy rejects the prompt. */
  "refusal",
  /** The safety checker rejects all images, or only the first one. */
  "nsfw_all",
  "nsfw_some",
  /** One image fewer than requested, or one more. */
  "partial",
  "surplus",
  "image_30mb",
  "image_html",
] as const;

/** Faults of the providers that accept a request and make its result later. */
const LATER = [
  "image_redirect",
  "failed_prediction",
  /** The request never ends, or ends at the second look. */
  "hanging_poll",
  "slow_prediction",
  /** The first two looks get no response. */
  "lost_polls",
  /** The request is accepted, and paid for; the response that says so comes after `delayMs`. */
  "slow_submit",
] as const;

/** The faults that each provider supports. */
export const FAULTS = {
  fal: [...COMMON, ...LATER],
  replicate: [...COMMON, ...LATER, "high_demand"],
  openai: [...COMMON, "insufficient_quota", "billing_limit"],
} as const satisfies Record<Provider, readonly string[]>;

export type FaultName = (typeof FAULTS)[Provider][number];

/** One order to the switchboard: the provider's next `times` calls show this fault. */
export const faultOrderSchema = z
  .strictObject({
    provider: z.enum(PROVIDERS),
    fault: z.enum(PROVIDERS.flatMap((provider) => [...FAULTS[provider]])),
    times: z.int().min(1).default(1),
    /** Seconds in a `Retry-After` header. */
    retryAfter: z.number().min(0).optional(),
    /** Value of fal's `X-Fal-Retryable` header. */
    retryable: z.boolean().optional(),
    delayMs: z.int().min(0).default(0),
  })
  .refine(
    ({ provider, fault }) => FAULTS[provider].some((known) => known === fault),
    "this provider cannot show that fault",
  );

export type FaultOrder = z.output<typeof faultOrderSchema>;

export type Fault = Pick<FaultOrder, "fault" | "retryAfter" | "retryable" | "delayMs">;
