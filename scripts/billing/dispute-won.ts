import { giveBackDispute } from "~/models/billing/returns/won-disputes.server";
import { runCommand, UsageError } from "../lib/command";
import { operatorEvent } from "../lib/operator-event";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

export const disputeWon: Subcommand = {
  summary: "give back what a dispute took, once you have won it",
  run: (args) =>
    runCommand(
      {
        name: "billing dispute-won",
        usage: `Gives back what a dispute took: an order's credits, or a subscription's paid period, which opens again
and goes on granting. What was refunded stays taken. Takes the payment as the provider names it: pi_…
or in_… at Stripe, ord_… or tran_… at Creem. Doing it again changes nothing.`,
        positionals: ["payment"],
        options: {
          provider: { type: "string", value: "stripe|creem", help: "whose payment it is" },
        },
        async run({ values: { provider }, positionals: [paymentId = ""], print }) {
          if (provider !== "stripe" && provider !== "creem")
            throw new UsageError("--provider takes stripe or creem");
          const won = await withDatabase((db) =>
            db.$transaction((transaction) => giveBackDispute({ provider, paymentId }, transaction)),
          );
          if (!won) throw new Error(`no dispute of the payment ${paymentId} is on record here`);
          operatorEvent("billing dispute-won", { ...won, provider, paymentId });
          const what = won.of === "order" ? "the order is paid again" : "the period is open again";
          print(`user ${won.userId}: ${what}, ${won.credits} credits given back`);
          return 0;
        },
      },
      args,
    ),
};
