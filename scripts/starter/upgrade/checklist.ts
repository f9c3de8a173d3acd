import { describeFindings } from "../../db/lint/finding";
import { MIGRATIONS_FOLDER } from "../tree";
import { branchOf } from "./apply-files";
import type { UpgradePlan } from "./plan";

/** Returns the upgrade's steps in order, filled in for this project: each a title and its lines. */
export function describeSteps(plan: UpgradePlan): { title: string; lines: string[] }[] {
  const { from, to, migrations } = plan;
  return [
    { title: `Read the changelog from ${from} to ${to}`, lines: changelogLines(plan) },
    {
      title: "Back up code and data",
      lines: [
        "code: commit and push everything; data: a backup that you have restored once",
        "(docs/backups.md shows how)",
      ],
    },
    {
      title: `Apply the changes on a new branch: ${branchOf(to)}`,
      lines: fileLines(plan),
    },
    { title: "Set the variables", lines: variableLines(plan) },
    { title: "Install with the committed lockfile: npm ci", lines: [] },
    {
      title: "Review each new migration and its journal entry",
      lines:
        migrations.length === 0
          ? ["none"]
          : migrations.flatMap(({ name, findings }) => [
              `${MIGRATIONS_FOLDER}/${name}`,
              ...describeFindings(MIGRATIONS_FOLDER, findings).map((line) => `  ${line}`),
            ]),
    },
    {
      title: "Change the database, only with npm run db:migrate",
      lines: ["on a copy of your data first: DATABASE_URL selects the database"],
    },
    {
      title: "Run npm run starter:check, npm run typecheck, npm run build and npm test",
      lines: [],
    },
    { title: "Verify in a non-production deployment, then in production", lines: [] },
  ];
}

export function describePlan(plan: UpgradePlan): string[] {
  const steps = describeSteps(plan).flatMap(({ title, lines }, at) => [
    "",
    `[ ] ${at + 1}. ${title}`,
    ...lines.map((line) => (line ? `       ${line}` : "")),
  ]);
  return [`Upgrade from ${plan.from} to ${plan.to}, from ${plan.upstream.name}`, ...steps];
}

function changelogLines({ releases, skipsMajor }: UpgradePlan): string[] {
  return [
    ...(skipsMajor
      ? ["You skip a major version: go through each in turn, or expect to integrate by hand.", ""]
      : []),
    ...releases.flatMap(({ version, date, text }, at) => [
      ...(at > 0 ? [""] : []),
      `${version}, ${date}`,
      ...text
        .split("\n")
        .filter(Boolean)
        .map((line) => `  ${line}`),
    ]),
  ];
}

function fileLines({ files: { take, remove, both, kept, own }, upstream, commit }: UpgradePlan) {
  const width = Math.max(0, ...both.map(({ file }) => file.length));
  return [
    `${take.length} to copy and ${remove.length} to delete, which you have not changed`,
    `${own.length} of your own are left alone, and ${kept.length} that only you changed or deleted`,
    ...kept.map((file) => `  ${file}`),
    ...(both.length > 0
      ? [
          commit === null
            ? `${both.length} to merge by hand; theirs are in ${upstream.name}:`
            : `${both.length} for git to merge; it stops where both sides changed the same lines:`,
        ]
      : []),
    ...both.map(({ file, how }) => `  ${file.padEnd(width)}  ${how}`),
  ];
}

function variableLines({ variables: { added, required, gone } }: UpgradePlan): string[] {
  const lines = [
    ...added.map((name) => `new   ${name}${required.includes(name) ? " (required)" : ""}`),
    ...gone.map((name) => `gone  ${name}${process.env[name] ? " (set here: remove it)" : ""}`),
  ];
  return lines.length > 0 ? lines : ["none added, none removed"];
}
