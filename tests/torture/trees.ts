import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { folderTree } from "../../scripts/starter/tree";
import { untilSignal } from "./signals";

// Other versions of the code, each in a folder of the run, where it is built.

const BUILD_MS = 600_000;

/** Makes a folder for another tree, and removes it in any case. */
export async function withFolder<Result>(
  prefix: string,
  act: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), prefix));
  const clean = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  return untilSignal(
    async () => {
      try {
        return await act(folder);
      } finally {
        await clean();
      }
    },
    async () => {
      await endChild();
      await clean();
    },
  );
}

/** Copies this tree, and returns where it is. */
export async function copyTree(folder: string): Promise<string> {
  const root = path.join(folder, "tree");
  await mkdir(root);
  for (const file of folderTree(".").list()) await cp(file, path.join(root, file));
  await cp("app/generated", path.join(root, "app/generated"), { recursive: true });
  await linkPackages(root);
  return root;
}

/** A tree has this clone's packages. */
const linkPackages = (root: string): Promise<void> =>
  symlink(path.resolve("node_modules"), path.join(root, "node_modules"));

/** Writes and builds the tree of a commit, and returns where it is. Git keeps no trace of it. */
export async function buildCommit(folder: string, commit: string): Promise<string> {
  const root = path.join(folder, "tree");
  const index = { GIT_INDEX_FILE: path.join(folder, "index") };
  await must(".", "git", ["read-tree", `${commit}^{commit}`], index);
  await must(".", "git", ["checkout-index", "--all", `--prefix=${root}/`], index);
  // Without packages of its own a tree is taken for one that was built elsewhere, and gets no client.
  await linkPackages(root);
  await must(root, process.execPath, ["scripts/generate-client.mjs"]);
  await buildTree(root);
  return root;
}

export const buildTree = (root: string): Promise<void> => must(root, "npm", ["run", "-s", "build"]);

async function must(
  root: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<void> {
  const { code, errors } = await runIn(root, command, args, { timeout: BUILD_MS, env });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} in ${root}: ${errors}`);
}

interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

let current: ChildProcess | null = null;

/** The program that runs at this moment cleans up after itself. */
async function endChild(): Promise<void> {
  if (!current || current.exitCode !== null || current.signalCode !== null) return;
  current.kill("SIGTERM");
  await once(current, "exit");
}

/** Runs a program in the tree to its end. */
export function runIn(
  root: string,
  command: string,
  args: string[],
  { timeout, env = {} }: { timeout: number; env?: Record<string, string> },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...{ cwd: root, timeout, env: { ...process.env, ...env } },
      stdio: ["ignore", "pipe", "pipe"],
    });
    current = child;
    const ended: Ended = { code: null, output: "", errors: "" };
    child.stdout.on("data", (chunk) => {
      ended.output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      ended.errors += chunk;
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ ...ended, code }));
  });
}
