import { z } from "zod";

/** One row of the credit history. */
const creditTransactionSchema = z
  .object({
    id: z.string(),
    type: z.enum(["grant", "deduction", "refund", "reversal", "expiry", "adjustment"]),
    amount: z.int().meta({ description: "Credits; below zero if they were taken." }),
    balanceAfter: z.int(),
    remaining: z.int().nullable().meta({ description: "What is left of a grant; else null." }),
    expiresAt: z.iso.datetime().nullable(),
    description: z.string().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "CreditTransaction" });

export const creditsSchema = z
  .object({
    balance: z.int().meta({ description: "What can be spent now, in credits." }),
    expiring: z
      .object({ amount: z.int(), at: z.iso.datetime() })
      .nullable()
      .meta({ description: "What is lost next, and when." }),
    transactions: z.array(creditTransactionSchema),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "Credits" });

export type CreditsResponse = z.output<typeof creditsSchema>;
