import { runSubcommand } from "../lib/subcommands";
import { disable } from "./disable";
import { enable } from "./enable";
import { signOut } from "./sign-out";

await runSubcommand({
  name: "users",
  usage: "Signs users out, and disables and enables their accounts.",
  commands: { "sign-out": signOut, disable, enable },
});
