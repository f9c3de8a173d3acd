import { git } from "../tree";
import type { Plan } from "./plan";
import type { Upgrade } from "./read-upgrade";

/** Returns all steps of an upgrade in order, for people. */
export function describePlan(upgrade: Upgrade, plan: Plan): string[] {
  const { to, graft, base } = upgrade;
  const steps: [title: string, lines: string[]][] = [
    [
      "Read what the changelog says since then",
      plan.changelog.length > 0 ? plan.changelog : ["nothing"],
    ],
    ["Back up code and data", ["push everything; make a backup that restores (docs/backups.md)"]],
    [
      `Merge ${to} on a branch of its own`,
      [
        ...(graft ? [`your first commit has exactly the files of ${nameOf(upgrade, base)}`] : []),
        `the starter changed ${plan.theirs} files, you changed ${plan.both.length} of them, too; git stops where both changed the same lines`,
        ...plan.both.map((file) => `  ${file}`),
      ],
    ],
    ["Install with the committed lockfile, build and check", []],
    ["Set the variables in every deployment", describeVariables(plan)],
    ["Review each new migration", describeMigrations(plan)],
    ["Change the database with npm run db:migrate, a copy of your data first", []],
    ["Run npm test", []],
    ["Verify in a non-production deployment, then in production", []],
  ];
  return [
    `Upgrade from ${nameOf(upgrade, base)} to ${nameOf(upgrade, upgrade.target)}`,
    ...steps.flatMap(([title, lines], at) => [
      "",
      `${at + 1}. ${title}`,
      ...lines.map((line) => `   ${line}`),
    ]),
    "",
    `npm run starter:upgrade -- ${to} --run takes steps 3 and 4`,
  ];
}

export function describeVariables({ variables: { added, gone } }: Plan): string[] {
  const lines = [
    ...added.map((name) => `new   ${name}`),
    ...gone.map((name) => `gone  ${name}, which the starter no longer reads`),
  ];
  return lines.length > 0 ? lines : ["the starter added none and removed none"];
}

export const describeMigrations = ({ migrations }: Plan): string[] =>
  migrations.length > 0 ? migrations : ["none"];

const nameOf = ({ folder }: Upgrade, commit: string): string =>
  git(folder, ["show", "--no-patch", "--format=%h (%cs)", commit])?.trim() ?? commit;
