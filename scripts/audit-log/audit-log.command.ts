import { runSubcommand } from "../lib/subcommands";
import { exportRows } from "./export";

await runSubcommand({
  name: "audit-log",
  usage: "Reads the audit log: what operators, commands and admins did.",
  commands: { export: exportRows },
});
