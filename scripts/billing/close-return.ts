import { closeReturn, UNNAMED } from "~/models/billing/returns/close-return.server";
import type { KnownReturn } from "~/models/billing/returns/known-returns.server";
import type { ReturnKind } from "~/services/payments/billing-event";
import { formatAmount } from "~/utils/money";
import { runCommand, UsageError } from "../lib/command";
import { operatorEvent } from "../lib/operator-event";
import { PROVIDER_VALUES, requireProvider } from "../lib/provider-option";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

export const disputeWon = closing({
  name: "dispute-won",
  kind: "dispute",
  summary: "give back what a dispute took, once you have won it",
  what: "what a dispute took, once you have won it",
  done: "the dispute is won",
});

export const refundFailed = closing({
  name: "refund-failed",
  kind: "refund",
  summary: "give back what a refund took that failed later",
  what: "what a refund took that failed later",
  done: "the refund failed",
});

function closing(of: {
  name: string;
  kind: ReturnKind;
  summary: string;
  what: string;
  done: string;
}): Subcommand {
  const { name, kind, summary, what, done } = of;
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
              db.$transaction((transaction) =>
                closeReturn({ provider, paymentId, kind, returnId }, transaction),
              ),
            );
            switch (closed.status) {
              case "unknown":
                throw new Error(describeUnknown({ kind, paymentId, returnId }, closed.known));
              case "several":
                throw new UsageError(
                  `name one with --${kind}; still open: ${closed.returnIds.join(", ")}`,
                );
              case "closed_before":
                print(`${closed.returnId}: ${done}, as was known; nothing changed`);
                return 0;
              case "closed_kept":
                operatorEvent(`billing ${name}`, { ...closed, provider, paymentId });
                print(`${closed.returnId}: ${done}; its payment is unknown here`);
                return 0;
              case "closed":
                operatorEvent(`billing ${name}`, { ...closed, provider, paymentId });
                print(`user ${closed.userId}: ${done}, ${closed.credits} credits given back`);
                return 0;
            }
          },
        },
        args,
      ),
  };
}

/** Says which one isn't here, and all that the payment has. */
function describeUnknown(
  { kind, paymentId, returnId }: { kind: ReturnKind; paymentId: string; returnId: string | null },
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
