import { closePaymentReturn } from "~/models/admin/billing-actions.server";
import { type ClosedReturn, UNNAMED } from "~/models/billing/returns/close-return.server";
import type { KnownReturn } from "~/models/billing/returns/known-returns.server";
import type { ReturnKind } from "~/services/payments/billing-event";
import { formatAmount } from "~/utils/money";
import { runCommand, UsageError } from "../lib/command";
import { operatorActor, operatorEvent } from "../lib/operator-event";
import { PROVIDER_VALUES, requireProvider } from "../lib/provider-option";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

export const disputeWon = closing({
  name: "dispute-won",
  kind: "dispute",
  summary: "give back what a dispute took, once you have won it",
  what: "what a dispute took, once you have won it",
});

export const refundFailed = closing({
  name: "refund-failed",
  kind: "refund",
  summary: "give back what a refund took that failed later",
  what: "what a refund took that failed later",
});

function closing(of: {
  name: string;
  kind: ReturnKind;
  summary: string;
  what: string;
}): Subcommand {
  const { name, kind, summary, what } = of;
  return {
    summary,
    run: (args) =>
      runCommand(
        {
          name: `billing ${name}`,
          usage: `Gives back ${what}: an order's credits, or those of a subscription's running month, and
the period opens again. Stripe tells this by its webhook; Creem tells nobody. Takes the payment as the
provider names it: pi_… or in_… at Stripe, ord_… or tran_… at Creem. If there are several, --${kind} names the
one: by its id, or as ${UNNAMED} if only a sum is known. Doing it again changes nothing.`,
          positionals: ["payment"],
          options: {
            provider: { type: "string", value: PROVIDER_VALUES, help: "whose payment it is" },
            ...(kind === "dispute" ? { dispute: named(kind) } : { refund: named(kind) }),
          },
          async run({ values, positionals: [paymentId = ""], print }) {
            const provider = requireProvider(values.provider);
            const { dispute, refund } = values as { dispute?: string; refund?: string };
            const returnId = dispute ?? refund ?? null;
            const closed = await withDatabase((db) =>
              closePaymentReturn(
                { actor: operatorActor(), provider, paymentId, kind, returnId },
                db,
              ),
            );
            const { code, words } = describeClosed(closed, { kind, paymentId, returnId });
            if (code === 2) throw new UsageError(words);
            if (code === 1) throw new Error(words);
            if (closed.status === "closed" || closed.status === "closed_kept")
              operatorEvent(`billing ${name}`, { ...closed, provider, paymentId });
            print(words);
            return 0;
          },
        },
        args,
      ),
  };
}

const DONE: Record<ReturnKind, string> = {
  dispute: "the dispute is won",
  refund: "the refund failed",
};

interface Order {
  kind: ReturnKind;
  paymentId: string;
  returnId: string | null;
}

/** The command's words and exit code: 1 if no such return is away, 2 if the operator has to name one. */
export function describeClosed(
  closed: ClosedReturn,
  order: Order,
): { code: 0 | 1 | 2; words: string } {
  const done = DONE[order.kind];
  switch (closed.status) {
    case "unknown":
      return { code: 1, words: describeUnknown(order, closed.known) };
    case "several": {
      const open = closed.returnIds.join(", ");
      return { code: 2, words: `name one with --${order.kind}; still open: ${open}` };
    }
    case "closed_before":
      return { code: 0, words: `${closed.returnId}: ${done}, as was known; nothing changed` };
    case "closed_kept":
      return { code: 0, words: `${closed.returnId}: ${done}; its payment is unknown here` };
    case "closed":
      return {
        code: 0,
        words: `user ${closed.userId}: ${done}, ${closed.credits} credits given back`,
      };
  }
}

/** Says which one isn't here, and all that the payment has. */
function describeUnknown(
  { kind, paymentId, returnId }: Order,
  known: readonly KnownReturn[],
): string {
  const name = returnId === null ? "" : ` ${returnId}`;
  const problem = `no ${kind}${name} of the payment ${paymentId} is away here; nothing changed`;
  if (known.length === 0) return `${problem}. Nothing of that payment is on record`;
  const rows = known.map(({ providerReturnId, state, ...row }) =>
    providerReturnId === null
      ? `${row.kind}s of ${formatAmount(row)} in all (${UNNAMED})`
      : `${row.kind} ${providerReturnId} of ${formatAmount(row)}, ${state}`,
  );
  return `${problem}. On record: ${rows.join("; ")}`;
}

function named(kind: ReturnKind) {
  return { type: "string", value: "id", help: `the ${kind}'s id at the provider` } as const;
}
