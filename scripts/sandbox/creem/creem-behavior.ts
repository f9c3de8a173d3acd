import { z } from "zod";

/** Where Creem's ways aren't sure, or have changed. */
export const creemBehavior = z.strictObject({
  /** Spell a transaction's statuses as Creem's SDK does: `partialRefund`, `chargedBack`. */
  sdkStatuses: z.boolean().default(false),
  /** Renewals name the order of the first checkout. */
  renewalsShareOrder: z.boolean().default(false),
  /** The response to a cancellation shows the subscription as it was before. */
  answersEarly: z.boolean().default(false),
});

export type CreemBehavior = z.output<typeof creemBehavior>;
