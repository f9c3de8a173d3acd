import { runCommand } from "../lib/command";
import { completeChoices, openTerminal } from "./init/choices";
import { initialize } from "./init/initialize";

await runCommand({
  name: "starter:init",
  usage: `Makes a fresh clone your product: sets the name, the sender of emails, the currency, the languages and
whether images are sold, everywhere. Asks for what no option gives; where nobody is at the terminal it leaves
that as it is. Ends with the checks of the documents, the code, the types and the unit tests.
Run it once, in a clone without changes of its own.`,
  options: {
    name: { type: "string", value: "text", help: "name of the product" },
    sender: { type: "string", value: "address", help: "the address that emails come from" },
    currency: { type: "string", value: "code", help: "the currency of all prices, such as eur" },
    locales: { type: "string", value: "list", help: "the languages that stay, such as en,es" },
    images: { type: "string", value: "on|off", help: "whether generated images are sold" },
    "remove-advertising": {
      type: "boolean",
      help: "remove the home page's part for developers and the starter's README and pictures",
    },
    "remove-workshop": {
      type: "boolean",
      help: "remove benches, screenshots and what else serves the starter's authors only",
    },
    "remove-history": { type: "boolean", help: "remove the decisions and the changelog" },
    git: { type: "boolean", help: "begin a Git history of your own" },
  },
  async run({ values, print }) {
    const terminal = openTerminal();
    try {
      const choices = await completeChoices(values, terminal?.ask ?? null);
      return initialize(".", choices, values, print);
    } finally {
      terminal?.close();
    }
  },
});
