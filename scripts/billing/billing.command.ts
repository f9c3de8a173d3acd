import { runSubcommand } from "../lib/subcommands";
import { disputeWon } from "./dispute-won";
import { portal } from "./portal";
import { reconcile } from "./reconcile";

await runSubcommand({
  name: "billing",
  usage:
    "Compares orders and subscriptions with the payment providers, and sets the customer portal up.",
  commands: { reconcile, portal, "dispute-won": disputeWon },
});
