import { randomInt } from "node:crypto";
import { z } from "zod";

/** Faults to simulate on the way to the webhook. */
export const deliveryMode = z.strictObject({
  /** Number of extra copies sent with each event. */
  duplicates: z.int().min(0).max(100).default(0),
  /** The order of one action's events. */
  order: z.enum(["sent", "reversed", "shuffled"]).default("sent"),
  /** Milliseconds before each event. */
  delayMs: z.int().min(0).default(0),
  /** Log all events, or those of these types, without sending them. They can be redelivered. */
  drop: z.union([z.boolean(), z.array(z.string())]).default(false),
});

export type DeliveryMode = z.output<typeof deliveryMode>;

export function isDropped({ drop }: DeliveryMode, type: string): boolean {
  return typeof drop === "boolean" ? drop : drop.includes(type);
}

export function arrange<T>({ order }: DeliveryMode, events: readonly T[]): T[] {
  if (order === "reversed") return events.toReversed();
  const arranged = [...events];
  if (order === "sent") return arranged;
  for (let last = arranged.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [arranged[last], arranged[other]] = [arranged[other] as T, arranged[last] as T];
  }
  return arranged;
}
