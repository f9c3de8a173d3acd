import type { ActionKey } from "~/catalog";
import type { CreditTransactionType, MeteredRunStatus } from "~/generated/prisma/enums";

/** The pack that brought credits or lost them. */
export interface CauseOrder {
  id: string;
  skuKey: string;
  provider: string;
  /** The provider's id of the payment; null until it is told of. */
  paymentId: string | null;
}

/** The paid period of a plan that brought credits or lost them. */
export interface CausePeriod {
  id: string;
  planKey: string;
  /** Nothing was paid for it. */
  isTrial: boolean;
  provider: string;
  /** The provider's id of the payment; null for a trial, and until it is told of. */
  paymentId: string | null;
  startsAt: string;
  endsAt: string;
}

export interface CauseRun {
  id: string;
  /** An action's key; of an action that is no longer sold, too. */
  action: ActionKey;
  status: MeteredRunStatus;
  provider: string | null;
}

/** The things that a row of the ledger names, as far as they are known. */
export interface CauseParts {
  order: CauseOrder | null;
  period: CausePeriod | null;
  run: CauseRun | null;
  /** The key of the program that spent; null for a person. */
  apiKey: { id: string; name: string } | null;
  /** The lot that is over, of an expiry. */
  expiredLotId: string | null;
}

export const CAUSE_KINDS = [
  /** A pack was paid. */
  "order",
  /** A month of a plan began. */
  "month",
  /** The rest of a month after a change to a larger plan. */
  "upgrade",
  "welcome",
  /** A run took credits, or gave them back. */
  "run",
  /** A payment was refunded or disputed. */
  "return",
  /** Such a refund or dispute was taken back. */
  "return_undone",
  /** The first payment was for a smaller plan than the month was granted for. */
  "smaller_plan",
  /** The plan was ended at once, and what was left of its month taken back. */
  "plan_ended",
  "expiry",
  /** An operator gave or took credits, with a reason. */
  "correction",
  "other",
] as const;

export type CauseKind = (typeof CAUSE_KINDS)[number];

/** Sources name the business object, so that their beginning tells what caused a row. */
const KINDS: [type: CreditTransactionType, source: RegExp, kind: CauseKind][] = [
  ["grant", /^order:/, "order"],
  ["grant", /^subscription:/, "month"],
  ["grant", /^upgrade:/, "upgrade"],
  ["grant", /^signup:/, "welcome"],
  ["deduction", /^(generation|run):/, "run"],
  ["refund", /^(generation|run):/, "run"],
  ["reversal", /:surplus:ended(?::\d{1,19})?$/, "plan_ended"],
  ["reversal", /:surplus(?::\d{1,19})?$/, "smaller_plan"],
  ["reversal", /^/, "return"],
  ["adjustment", /^adjustment:returned:/, "return_undone"],
  ["adjustment", /^/, "correction"],
  ["expiry", /^/, "expiry"],
];

/** Returns what caused a row of the ledger. */
export const causeKindOf = (row: { type: CreditTransactionType; source: string }): CauseKind =>
  KINDS.find(([type, source]) => row.type === type && source.test(row.source))?.[2] ?? "other";

/** The cause of a row of the ledger, as its owner sees it. Ids are ours. */
export interface Cause {
  kind: CauseKind;
  orderId: string | null;
  /** The paid period of a plan. */
  subscriptionPaymentId: string | null;
  planKey: string | null;
  runId: string | null;
  action: ActionKey | null;
  /** The lot that is over. */
  lotId: string | null;
}

export const causeOf = (
  row: { type: CreditTransactionType; source: string } & CauseParts,
): Cause => ({
  kind: causeKindOf(row),
  orderId: row.order?.id ?? null,
  subscriptionPaymentId: row.period?.id ?? null,
  planKey: row.period?.planKey ?? null,
  runId: row.run?.id ?? null,
  action: row.run?.action ?? null,
  lotId: row.expiredLotId,
});
