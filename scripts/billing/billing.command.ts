import { runSubcommand } from "../lib/subcommands";
import { reconcile } from "./reconcile";

await runSubcommand({
  name: "billing",
  usage: "Holds orders and subscriptions against those of the payment providers.",
  commands: { reconcile },
});
