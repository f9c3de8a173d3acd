import { spawn } from "node:child_process";
import { git } from "../tree";
import { applyFiles, branchOf } from "./apply-files";
import { requireBackup, requireCommitted } from "./backup";
import { describeSteps } from "./checklist";
import { mergeCommit } from "./merge-commit";
import type { UpgradePlan } from "./plan";

export interface RunOptions {
  folder: string;
  /** Files of `plan.files.both` that a person has merged; `all` means every file. */
  merged: string[];
  backup?: string | undefined;
  backedUp?: string | undefined;
  /** Also run `npm test`. */
  tests: boolean;
  print: (line: string) => void;
}

/**
 * Runs the automatic steps of the checklist. Throws at the first that fails. Can be run again after any
 * stop: it skips completed steps. Never merges a file.
 */
export async function runUpgrade(plan: UpgradePlan, options: RunOptions): Promise<void> {
  const { folder, print } = options;
  const npm = (...args: string[]) => runStep(options, "npm", args);
  const actions = [
    async () => undefined,
    async () => {
      requireCommitted(folder);
      print(
        `       code: everything is committed, at ${git(folder, ["rev-parse", "--short", "HEAD"])?.trim()}`,
      );
      print(`       data: ${await requireBackup(options)}`);
    },
    () => (plan.commit === null ? applyOrStop(plan, options) : mergeOrStop(plan, options)),
    async () => undefined,
    () => npm("ci", "--no-audit", "--no-fund"),
    async () => requireSafe(plan),
    async () => {
      await npm("run", "--silent", "db:migrate", "--", "--dry-run");
      await npm("run", "--silent", "db:migrate");
    },
    async () => {
      await npm("run", "--silent", "starter:check");
      await npm("run", "--silent", "typecheck");
      await npm("run", "--silent", "build");
      if (options.tests) await npm("test");
    },
  ];
  const steps = describeSteps(plan);
  for (const [at, action] of actions.entries()) {
    const { title, lines } = steps[at] ?? { title: "", lines: [] };
    print(`${at > 0 ? "\n" : ""}[${at + 1}] ${title}`);
    for (const line of lines) print(line && `       ${line}`);
    await action().catch((error: Error) => {
      throw new Error(`stopped at step ${at + 1}: ${error.message}`);
    });
  }
  print("\nThe remaining steps are yours:");
  print(
    `       ${options.tests ? "" : "npm test; "}verify this branch in a non-production deployment`,
  );
  print(
    `       then merge ${branchOf(plan.to)}, back up, and deploy: npm ci, npm run build, npm run db:migrate, npm start`,
  );
}

async function applyOrStop(plan: UpgradePlan, options: RunOptions): Promise<void> {
  const { folder, merged } = options;
  const open = await applyFiles(plan, {
    folder,
    merged,
    git: (...args) => runStep(options, "git", args),
  });
  if (open.length === 0) return;
  throw new Error(
    `merge ${open.join(", ")} by hand, which changed on both sides (the rest is committed); commit, then run again with --merged <file> for each, or --merged all`,
  );
}

async function mergeOrStop(plan: UpgradePlan, options: RunOptions): Promise<void> {
  const { folder } = options;
  const open = await mergeCommit(plan, {
    folder,
    git: (...args) => runStep(options, "git", args),
  });
  if (open.length === 0) return;
  throw new Error(
    `resolve ${open.join(", ")}, where both sides changed the same lines; git add and git commit, then run the same command again`,
  );
}

async function requireSafe({ migrations }: UpgradePlan): Promise<void> {
  const open = migrations.filter(({ findings }) => findings.length > 0);
  if (open.length === 0) return;
  const names = open.map(({ name }) => name).join(", ");
  throw new Error(
    `${names}: dangerous on a database in use; read them, and allow each with its reason`,
  );
}

/** Prints the command's output. Throws unless it exits with 0. */
function runStep({ folder, print }: RunOptions, command: string, args: string[]): Promise<void> {
  print(`       $ ${[command, ...args].join(" ")}`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let rest = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) print(line && `         ${line}`);
      });
    }
    child.once("error", reject);
    child.once("close", (code) => {
      if (rest) print(`         ${rest}`);
      if (code === 0) resolve();
      else
        reject(new Error(`${command} ${args.join(" ")} exited with ${code}; see its output above`));
    });
  });
}
