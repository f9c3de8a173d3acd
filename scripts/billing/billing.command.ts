import { runSubcommand } from "../lib/subcommands";
import { disputeWon } from "./dispute-won";
import { reconcile } from "./reconcile";

await runSubcommand({
  name: "billing",
  usage: "Holds orders and subscriptions against those of the payment providers.",
  commands: { reconcile, "dispute-won": disputeWon },
});
