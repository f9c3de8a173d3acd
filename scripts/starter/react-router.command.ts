import { runCommand } from "../lib/command";
import { moveToReactRouter } from "./react-router/move";

await runCommand({
  name: "starter:react-router",
  usage: `Moves this project from Remix 2 to React Router 7, in place: code, packages, configuration. Installs the
packages, checks the types, builds, and lists what a person must change. Run it on a branch of its own,
without uncommitted changes; it commits nothing. docs/upgrade.md says more.`,
  run: ({ print }) => moveToReactRouter(".", print),
});
