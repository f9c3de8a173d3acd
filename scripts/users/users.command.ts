import { runSubcommand } from "../lib/subcommands";
import { disable } from "./disable";
import { enable } from "./enable";
import { removeFactorsCommand } from "./remove-factors";
import { signOut } from "./sign-out";

await runSubcommand({
  name: "users",
  usage: "Signs users out, disables and enables their accounts, and removes lost factors.",
  commands: { "sign-out": signOut, disable, enable, "remove-factors": removeFactorsCommand },
});
