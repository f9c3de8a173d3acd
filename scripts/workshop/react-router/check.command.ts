import { rm } from "node:fs/promises";
import { runCommand } from "../../lib/command";
import { cloneCopy, moveIn } from "./moved-copy";

await runCommand({
  name: "react-router check",
  usage:
    "Moves a copy of the newest commit to React Router, as `npm run starter:react-router` does, and removes it.",
  async run({ print }) {
    const folder = cloneCopy();
    const { passed } = await moveIn(folder, print);
    await rm(folder, { recursive: true });
    return passed ? 0 : 1;
  },
});
