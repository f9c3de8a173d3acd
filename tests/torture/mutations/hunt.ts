import { buildTree, copyTree, runIn, withFolder } from "../trees";
import { type Mutation, mutate } from "./mutation";

/** The outcome of one hunt. */
interface Hunted {
  name: string;
  /** The fault that the run named; null if it found none in its time. */
  said: string | null;
  operations: number;
  seconds: number;
}

interface Hunt {
  mutations: readonly Mutation[];
  seed: number;
  print(line: string): void;
  warn(line: string): void;
}

/** After so many minutes no new history begins. */
const MINUTES = 2;
/** For the world to open and close, beside the time in which it is played. */
const AROUND_MS = 90_000;

/**
 * Builds a copy of the tree with each fault in it, and lets the run look for it. The copy without a fault comes first: where
 * the run finds one in it, the others would prove nothing. Returns 1 if one isn't found, else 0.
 */
export function hunt({ mutations, seed, print, warn }: Hunt): Promise<number> {
  return withFolder("torture-mutations-", async (folder) => {
    const root = await copyTree(folder);
    await buildTree(root);
    const sound = await play(root, "no fault", seed);
    if (sound.said !== null) throw new Error(`without a fault the run says: ${sound.said}`);
    const missed: string[] = [];
    for (const mutation of mutations) {
      const restore = await mutate(root, mutation);
      await buildTree(root);
      const hunted = await play(root, mutation.name, seed);
      await restore();
      const { name, said, operations, seconds } = hunted;
      if (said === null) missed.push(name);
      print(
        `${said === null ? "MISSED" : "found"} | ${name} | ${said ?? ""} | ${operations} | ${seconds} s`,
      );
    }
    warn(`${mutations.length - missed.length} of ${mutations.length} faults found, seed ${seed}`);
    return missed.length > 0 ? 1 : 0;
  });
}

async function play(root: string, name: string, seed: number): Promise<Hunted> {
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
  const args = [...own, "--minutes", String(MINUTES), "--seed", String(seed)];
  const timeout = MINUTES * 60_000 + AROUND_MS;
  const { errors } = await runIn(root, process.execPath, args, { timeout });
  const seconds = Math.round((performance.now() - began) / 1_000);
  // The last line names the fault. A run that broke down for another reason has found nothing.
  const [, operations = "0", said = null] =
    /^(\d+) operations, seed \d+, a fault: (.*)$/m.exec(errors) ?? [];
  if (said === null && !/^cycle \d+: /m.test(errors)) throw new Error(`"${name}": ${errors}`);
  return { name, said, operations: Number(operations), seconds };
}
