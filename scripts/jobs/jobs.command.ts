import { runSubcommand } from "../lib/subcommands";
import { list } from "./list";
import { retry } from "./retry";
import { show } from "./show";

await runSubcommand({
  name: "jobs",
  usage: "Looks at background work, and does jobs again.",
  commands: { list, show, retry },
});
