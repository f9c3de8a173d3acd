import { runSubcommand } from "../lib/subcommands";
import { list } from "./list";
import { retry } from "./retry";

await runSubcommand({
  name: "emails",
  usage: "Looks at the emails in the outbox, and tries unsent ones again.",
  commands: { list, retry },
});
