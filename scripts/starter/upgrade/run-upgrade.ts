import { generateClient, isClientCurrent } from "../../generate-client.mjs";
import { isInstalled } from "../../lib/ensure-installed.mjs";
import { git } from "../tree";
import { describeMigrations, describeVariables } from "./describe-plan";
import { mergeStarter } from "./merge-starter";
import type { Plan } from "./plan";
import type { Upgrade } from "./read-upgrade";
import { runStep } from "./run-step";
import { describeTypeErrors, listYours, sortTypeErrors } from "./type-errors";

/**
 * Merges, installs, builds and checks. A check that fails stops none of the others: the merge stands, and
 * what is left to do is listed at the end. Returns the names of the checks that failed. Can be run again
 * at any point.
 * @throws Error with the remedy, if the merge or the install needs a person
 */
export async function runUpgrade(
  upgrade: Upgrade,
  plan: Plan,
  print: (line: string) => void,
): Promise<string[]> {
  const { folder, to, target } = upgrade;
  const step = { folder, print };
  if (!upgrade.merge)
    await mergeStarter(upgrade, {
      print,
      async git(...args) {
        const { passed } = await runStep(step, ["git", ...args]);
        if (!passed) throw new Error(`git ${args[0]} failed; its own messages stand above`);
      },
    });
  print(`${to} is merged into ${git(folder, ["branch", "--show-current"])?.trim()}`);

  if (!isInstalled()) {
    const { passed } = await runStep(step, ["npm", "ci", "--no-audit", "--no-fund"]);
    if (!passed)
      throw new Error(
        "npm ci failed, the merge stands: npm install mends a lockfile that belongs to another package.json; commit it, then run again",
      );
  }
  if (!isClientCurrent()) generateClient();

  const failed: string[] = [];
  for (const name of ["build", "starter:check", "db:lint", "validate:i18n"]) {
    // A build that passes has nothing to say in its eighty lines.
    const quiet = name === "build";
    const { passed, output } = await runStep(step, ["npm", "run", "--silent", name], { quiet });
    if (passed) continue;
    failed.push(name);
    if (quiet) for (const line of output.split("\n")) print(line && `  ${line}`);
  }
  const types = await runStep(step, ["npm", "run", "--silent", "typecheck"], { quiet: true });
  if (!types.passed) {
    failed.push("typecheck");
    const errors = sortTypeErrors(types.output, listYours(folder, target));
    for (const line of describeTypeErrors(errors)) print(`  ${line}`);
  }
  for (const line of describeRest(plan, failed)) print(line);
  return failed;
}

function describeRest(plan: Plan, failed: string[]): string[] {
  return [
    "",
    "What is left to you:",
    ...failed.map((name) => `  mend what npm run ${name} says above, and commit`),
    "  set these variables in every deployment:",
    ...describeVariables(plan).map((line) => `    ${line}`),
    "  review the new migrations:",
    ...describeMigrations(plan).map((line) => `    ${line}`),
    "  npm run db:migrate on a copy of your data, npm test, and a look at a non-production deployment",
    "  merge the branch with a merge commit: a squash forgets what you have in common with the starter",
  ];
}
