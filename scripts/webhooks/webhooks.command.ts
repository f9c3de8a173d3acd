import { runSubcommand } from "../lib/subcommands";
import { list } from "./list";
import { replay } from "./replay";
import { show } from "./show";

await runSubcommand({
  name: "webhooks",
  usage: "Looks at the deliveries of payment providers that were taken in, and tries them again.",
  commands: { list, show, replay },
});
