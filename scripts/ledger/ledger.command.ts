import { runSubcommand } from "../lib/subcommands";
import { adjust } from "./adjust";
import { explain } from "./explain";
import { repair } from "./repair";
import { show } from "./show";
import { sum } from "./sum";
import { verify } from "./verify";

await runSubcommand({
  name: "ledger",
  usage: "Looks at the credit ledger of the database in DATABASE_URL, and corrects it.",
  commands: { verify, show, explain, adjust, repair, sum },
});
