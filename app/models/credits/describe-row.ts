import { type CauseParts, causeKindOf } from "~/models/credits/cause";
import type { Lot, LotUse } from "~/models/credits/lot";
import type { StoryRow } from "~/models/credits/story.server";
import type { CreditTransaction } from "~/models/credits/transactions.server";

type Row = Pick<CreditTransaction, "type" | "source" | "description"> &
  CauseParts & { reference?: string | null };

/** A change of credits, with its sign. */
export const signed = (amount: number): string => `${amount > 0 ? "+" : ""}${amount}`;

/** Says what caused a row of the ledger, with the ids to go on from. */
export function describeCause(row: Row): string {
  const { run, apiKey, expiredLotId, source, description, reference } = row;
  switch (causeKindOf(row)) {
    case "order":
      return `pack: ${saleOf(row)}`;
    case "month":
      return `a month: ${saleOf(row)}`;
    case "upgrade":
      return `more for the month after a change of plan: ${saleOf(row)}`;
    case "welcome":
      return "welcome credits";
    case "run": {
      const work = run
        ? `run ${run.id}: ${run.action}${run.provider ? ` by ${run.provider}` : ""}, ${run.status}`
        : source;
      return `${stepOf(row)} ${work}${apiKey ? `, with the key "${apiKey.name}"` : ""}`;
    }
    case "return":
      return `refund or dispute: ${saleOf(row)}`;
    case "return_undone":
      return `a refund or dispute was taken back: ${saleOf(row)}`;
    case "smaller_plan":
      return `the payment was for a smaller plan: ${saleOf(row)}`;
    case "plan_ended":
      return `the plan was ended at once: ${saleOf(row)}`;
    case "expiry":
      return `lot ${expiredLotId ?? "?"} is over: ${saleOf(row)}`;
    case "correction": {
      const operator = reference?.startsWith(OPERATOR) ? reference.slice(OPERATOR.length) : null;
      return `correction ${source.slice("adjustment:".length)} by ${operator ?? "an operator"}: ${description ?? "no reason"}`;
    }
    default:
      return description ? `${source}: ${description}` : source;
  }
}

const OPERATOR = "operator:";

/** The order or the paid period, and the payment at its provider. */
function saleOf({ order, period, source }: Row): string {
  if (order) return `order ${order.id}, ${order.skuKey}, ${paymentOf(order)}`;
  if (!period) return source;
  const span = `${period.startsAt.slice(0, 10)} to ${period.endsAt.slice(0, 10)}`;
  const payment = period.isTrial ? "a trial" : paymentOf(period);
  return `${period.planKey}, ${span}, period ${period.id}, ${payment}`;
}

const paymentOf = ({ provider, paymentId }: { provider: string; paymentId: string | null }) =>
  `${provider} payment ${paymentId ?? "not told yet"}`;

function stepOf({ type, source }: Row): string {
  if (type === "refund") return "back from";
  return /:\d{1,19}$/.test(source) ? "more for" : "for";
}

/** A row of an account's story: its cause, the lots it moved and, if it is one, its own end. */
export function describeStory(row: StoryRow): string {
  const { id, remaining, expiresAt } = row;
  const lots = row.lots.map((lot) => `lot ${lot.id} ${signed(lot.amount)}`).join(", ");
  const end = expiresAt ? `ends ${expiresAt.toISOString()}` : "never ends";
  const own = remaining === null ? "" : `lot ${id}, ${remaining} left, ${end}`;
  return [describeCause(row), lots, own].filter(Boolean).join("; ");
}

/** A lot as one sentence: where it came from, when it ends and what it paid for. */
export function describeLot(lot: Lot): string {
  const { id, amount, remaining, expiresAt, uses } = lot;
  const end = expiresAt ? `ends ${expiresAt.toISOString()}` : "never ends";
  const spent = uses.map((use) => `${use.credits} ${USES[use.for](use)}`).join(", ");
  return `lot ${id}: ${amount} credits, ${remaining} left, ${end}; ${spent || "nothing spent"}; from ${describeCause(lot)}`;
}

const USES: Record<LotUse["for"], (use: LotUse) => string> = {
  run: ({ action }) => `for ${action}`,
  expired: () => "expired",
  returned: () => "taken back",
  correction: () => "corrected",
  other: () => "for other things",
};
