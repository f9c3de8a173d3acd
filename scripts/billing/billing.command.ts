import { runSubcommand } from "../lib/subcommands";
import { disputeWon, refundFailed } from "./close-return";
import { portal } from "./portal";
import { reconcile } from "./reconcile";
import { returns } from "./returns";
import { unsold } from "./unsold";

await runSubcommand({
  name: "billing",
  usage:
    "Compares orders and subscriptions with the payment providers, and sets the customer portal up.",
  commands: {
    reconcile,
    portal,
    returns,
    unsold,
    "dispute-won": disputeWon,
    "refund-failed": refundFailed,
  },
});
