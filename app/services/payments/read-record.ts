import type { z } from "zod";
import type { BillingEvent } from "~/services/payments/billing-event";
import { describeProblem } from "~/services/payments/payload";

/** Milliseconds by which this machine's clock may be ahead of a provider's. */
export const CLOCK_TOLERANCE = 5_000;

/**
 * The timestamp to store for a state we are about to fetch. It is slightly in the past, so that the
 * provider's next event is always newer: providers count whole seconds, and clocks differ. With a later
 * timestamp the next event would be ignored as older.
 */
export function instantOfReading(now: Date = new Date()): Date {
  return new Date(now.getTime() - CLOCK_TOLERANCE);
}

/** Reads an object from a provider's API as an event; one that cannot be read is `malformed`. */
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
