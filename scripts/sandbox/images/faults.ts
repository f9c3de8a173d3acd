import { z } from "zod";

export const PROVIDERS = ["fal", "replicate", "openai"] as const;

export type Provider = (typeof PROVIDERS)[number];

/** What any of the three can be made to do, each in its own words. A number is that HTTP status. */
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
  /** The request is taken and never answered. */
  "hang",
  /** The connection is reset once the request is read. */
  "reset",
  /** The connection ends in the middle of the answer. */
  "cut",
  /** The right answer, after `delayMs`. */
  "slow",
  "invalid_json",
  "empty_list",
  /** The prompt is turned away by the content policy. */
  "refusal",
  /** All images are turned away by the safety checker, or only the first one. */
  "nsfw_all",
  "nsfw_some",
  /** One image fewer than asked for, or one more. */
  "partial",
  "surplus",
  "image_30mb",
  "image_html",
] as const;

/** Which faults each provider can show. */
export const FAULTS = {
  fal: [...COMMON, "image_redirect"],
  replicate: [
    ...COMMON,
    "image_redirect",
    "failed_prediction",
    "high_demand",
    /** The prediction never ends, or ends at the second look. */
    "hanging_poll",
    "slow_prediction",
  ],
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
    /** What fal's `X-Fal-Retryable` header says. */
    retryable: z.boolean().optional(),
    delayMs: z.int().min(0).default(0),
  })
  .refine(
    ({ provider, fault }) => FAULTS[provider].some((known) => known === fault),
    "this provider cannot show that fault",
  );

export type FaultOrder = z.output<typeof faultOrderSchema>;

export type Fault = Pick<FaultOrder, "fault" | "retryAfter" | "retryable" | "delayMs">;
