import { existsSync } from "node:fs";
import { runCommand, UsageError } from "../lib/command";
import { readManifest } from "./manifest";
import { folderTree, gitTree } from "./tree";
import { findStart } from "./upgrade/apply-files";
import { describePlan } from "./upgrade/checklist";
import { planUpgrade, type UpgradePlan } from "./upgrade/plan";
import { planCommit } from "./upgrade/plan-commit";
import { runUpgrade } from "./upgrade/run-upgrade";
import { parseVersion } from "./version";

await runCommand({
  name: "starter:upgrade",
  usage: `Prints the steps from one version of the starter to another, filled in for this project: changelog,
files changed on both sides, variables, migrations. With --run it does the automatic steps on a new
branch and stops at the first that fails; run it again to continue. It copies files that you have not
changed and never merges a file. To a commit between releases it uses git merge, which needs a common
history and no manifest. DATABASE_URL names the database to migrate.`,
  options: {
    from: {
      type: "string",
      value: "version",
      help: "the installed version (default: the manifest's)",
    },
    to: {
      type: "string",
      value: "version",
      help: "the target: a version (default: the upstream's), or a commit or branch of the starter",
    },
    upstream: {
      type: "string",
      value: "where",
      help: "the new version: a tag, branch or commit that git has here, or a folder (default: the tag v<to>)",
    },
    run: { type: "boolean", help: "do the automatic steps" },
    merged: {
      type: "string",
      multiple: true,
      value: "file",
      help: "with --run: you have merged this file; may be repeated, 'all' for all",
    },
    backup: {
      type: "string",
      value: "file",
      help: "with --run: a backup of the data, less than a day old",
    },
    "backed-up": {
      type: "string",
      value: "where",
      help: "with --run: where the backup is, if it is not a local file",
    },
    tests: { type: "boolean", help: "with --run: npm test, too" },
  },
  async run({ values, print }) {
    if (values.to !== undefined && values.upstream === undefined && !parseVersion(values.to))
      return follow(planCommit({ folder: ".", to: values.to }), values, print);
    const where = values.upstream ?? (values.to === undefined ? undefined : `v${values.to}`);
    if (where === undefined) throw new UsageError("give --to <version>, or --upstream <where>");
    const upstream = existsSync(where) ? folderTree(where) : gitTree(".", where);
    const plan = planUpgrade({
      local: findStart(".", values.to ?? readManifest(upstream).version) ?? folderTree("."),
      upstream,
      from: values.from,
      to: values.to,
    });
    return follow(plan, values, print);
  },
});

interface Wanted {
  run?: boolean;
  merged?: string[];
  backup?: string;
  "backed-up"?: string;
  tests?: boolean;
}

async function follow(plan: UpgradePlan, wanted: Wanted, print: (line: string) => void) {
  if (!wanted.run) {
    for (const line of describePlan(plan)) print(line);
    return 0;
  }
  await runUpgrade(plan, {
    folder: ".",
    merged: wanted.merged ?? [],
    backup: wanted.backup,
    backedUp: wanted["backed-up"],
    tests: wanted.tests ?? false,
    print,
  });
  return 0;
}
