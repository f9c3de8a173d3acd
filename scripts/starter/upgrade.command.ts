import { runCommand } from "../lib/command";
import { describePlan } from "./upgrade/describe-plan";
import { planUpgrade } from "./upgrade/plan";
import { readUpgrade } from "./upgrade/read-upgrade";
import { runUpgrade } from "./upgrade/run-upgrade";

await runCommand({
  name: "starter:upgrade",
  usage: `Prints the steps of an upgrade to a commit, tag or branch of the starter, filled in for this project:
changelog, files changed on both sides, variables, migrations. With --run it merges the commit into the
current branch with git, installs, builds and checks. Where it needs a person it stops and says what to
do; run it again to go on. It connects to no database. docs/upgrade.md has an example.`,
  positionals: ["commit"],
  options: {
    run: { type: "boolean", help: "merge, install, build and check" },
  },
  async run({ values, positionals: [to = ""], print }) {
    const upgrade = readUpgrade(".", to);
    const plan = planUpgrade(upgrade);
    if (!values.run) {
      for (const line of describePlan(upgrade, plan)) print(line);
      return 0;
    }
    const failed = await runUpgrade(upgrade, plan, print);
    if (failed.length === 0) return 0;
    throw new Error(
      `the merge is done; ${failed.join(", ")} failed: see above, mend it, commit, and run again`,
    );
  },
});
