import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { folderTree } from "../../../scripts/starter/tree";
import { type Mutation, mutate } from "./mutation";

/** The outcome of one hunt. */
export interface Hunted {
  name: string;
  /** The fault that the run named; null if it found none in its time. */
  said: string | null;
  operations: number;
  seconds: number;
}

interface Hunt {
  mutations: readonly Mutation[];
  seed: number;
  minutes: number;
  print(line: string): void;
  warn(line: string): void;
}

/** For the world to open and close, beside the time in which it is played. */
const AROUND_MS = 90_000;

/** Builds a copy of the tree with each fault in it, and lets the run look for it. Returns how many it didn't find. */
export async function hunt({ mutations, seed, minutes, print, warn }: Hunt): Promise<number> {
  const parent = await mkdtemp(path.join(os.tmpdir(), "torture-mutations-"));
  try {
    const root = await copyTree(parent);
    const missed: string[] = [];
    for (const mutation of mutations) {
      const restore = await mutate(root, mutation);
      await build(root);
      const hunted = await play(root, mutation.name, { seed, minutes });
      await restore();
      const { name, said, operations, seconds } = hunted;
      if (said === null) missed.push(name);
      print(
        `${said === null ? "MISSED" : "found"} | ${name} | ${said ?? ""} | ${operations} | ${seconds} s`,
      );
    }
    warn(`${mutations.length - missed.length} of ${mutations.length} faults found, seed ${seed}`);
    return missed.length;
  } finally {
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Copies this tree. Node finds the installed packages in the folder above it. */
async function copyTree(parent: string): Promise<string> {
  await symlink(path.resolve("node_modules"), path.join(parent, "node_modules"));
  const root = path.join(parent, "tree");
  await mkdir(root);
  for (const file of folderTree(".").list()) await cp(file, path.join(root, file));
  await cp("app/generated", path.join(root, "app/generated"), { recursive: true });
  return root;
}

interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

function run(root: string, command: string, args: string[], timeout: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, timeout, stdio: ["ignore", "pipe", "pipe"] });
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

async function build(root: string): Promise<void> {
  const { code, errors } = await run(root, "npm", ["run", "-s", "build"], 600_000);
  if (code !== 0) throw new Error(`the copy can't be built: ${errors}`);
}

async function play(
  root: string,
  name: string,
  { seed, minutes }: { seed: number; minutes: number },
): Promise<Hunted> {
  const began = performance.now();
  const own = [
    "--import",
    "tsx",
    "tests/torture/torture.command.ts",
    "--calm",
    "--size",
    "middle",
    "--shrink",
    "0",
  ];
  const args = [...own, "--minutes", String(minutes), "--seed", String(seed)];
  const { errors } = await run(root, process.execPath, args, minutes * 60_000 + AROUND_MS);
  const seconds = Math.round((performance.now() - began) / 1_000);
  // The last line names the fault. A run that broke down for another reason has found nothing.
  const [, operations = "0", said = null] =
    /^(\d+) operations, seed \d+, a fault: (.*)$/m.exec(errors) ?? [];
  if (said === null && !/^cycle \d+: /m.test(errors)) throw new Error(`"${name}": ${errors}`);
  return { name, said, operations: Number(operations), seconds };
}
