import type { z } from "zod";
import type { BillingEvent } from "~/services/payments/billing-event";
import { describeProblem } from "~/services/payments/payload";

/** Milliseconds by which this machine's clock may be ahead of a provider's. */
export const CLOCK_TOLERANCE = 5_000;

/**
 * When a state counts as having been so, of an object that is about to be asked for: as late as is
 * surely before its next event. Providers count whole seconds, and clocks differ; taken for newer
 * than it is, it would hold off what the provider tells next.
 */
export function instantOfReading(now: Date = new Date()): Date {
  return new Date(now.getTime() - CLOCK_TOLERANCE);
}

/** An object of a provider's API as an event; one that cannot be read is `malformed`. */
export function readRecord<Schema extends z.ZodType>(
  type: string,
  schema: Schema,
  record: unknown,
  toEvent: (record: z.output<Schema>) => BillingEvent,
): BillingEvent {
  const read = schema.safeParse(record);
  if (read.success) return toEvent(read.data);
  return { kind: "malformed", type, problem: describeProblem(read.error) };
}
