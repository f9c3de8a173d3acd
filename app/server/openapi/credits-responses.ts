import { z } from "zod";
import { CAUSE_KINDS } from "~/models/credits/cause";

const causeSchema = z
  .object({
    kind: z.enum(CAUSE_KINDS),
    orderId: z.uuid().nullable(),
    subscriptionPaymentId: z
      .uuid()
      .nullable()
      .meta({ description: "The payment of a plan: its id in the account's export." }),
    planKey: z.string().nullable(),
    runId: z.uuid().nullable().meta({ description: "The run, for `/api/runs/{runId}`." }),
    action: z.string().nullable(),
    lotId: z.string().nullable().meta({ description: "The grant that expired." }),
  })
  .meta({ id: "CreditCause", description: "What caused it. Ids that don't apply are null." });

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
    cause: causeSchema,
    apiKey: z
      .object({ id: z.uuid(), name: z.string() })
      .nullable()
      .meta({ description: "The API key that spent, if one did." }),
    lots: z.array(z.object({ id: z.string(), amount: z.int() })).meta({
      description:
        "The grants it took from (below zero) or gave back to, by the ids of their movements. Empty for a grant.",
    }),
  })
  .meta({ id: "CreditTransaction" });

/** Credits that came together. */
const creditLotSchema = z
  .object({
    id: z.string().meta({ description: "The id of the movement that brought them." }),
    cause: causeSchema,
    amount: z.int(),
    remaining: z.int(),
    expiresAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    uses: z
      .array(
        z.object({
          for: z.enum(["run", "expired", "returned", "correction", "other"]),
          action: z.string().nullable().meta({ description: "The action of the runs." }),
          credits: z.int(),
        }),
      )
      .meta({ description: "What became of the rest: net of what came back." }),
  })
  .meta({ id: "CreditLot" });

export const creditsSchema = z
  .object({
    balance: z.int().meta({ description: "What can be spent now, in credits." }),
    expiring: z
      .object({ amount: z.int(), at: z.iso.datetime() })
      .nullable()
      .meta({ description: "What is lost next, and when." }),
    lots: z.array(creditLotSchema).nullable().meta({
      description:
        "The grants that hold credits, in the order in which they are spent, at most fifty. Null on later pages.",
    }),
    transactions: z.array(creditTransactionSchema),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "Credits" });

export type CreditsResponse = z.output<typeof creditsSchema>;
