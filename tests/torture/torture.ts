import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { ACTIONS, creditsFor, PACKS } from "../../app/catalog";
import { Fault } from "./act/fault";
import { AccountFault } from "./judge/judge";
import { generateCycle, type Size } from "./plan/generate";
import { playCycle, type Theatre } from "./play";
import { tellStory } from "./story";
import { createTally } from "./tally";
import { createWitness } from "./witness";
import { openWorld, type World } from "./world/world";

export interface Options {
  minutes: number;
  seed: number;
  cycles: number;
  provider: "stripe" | "creem";
  size: "small" | "full";
  isCalm: boolean;
  print(line: string): void;
  warn(line: string): void;
}

const SIZES: Record<Options["size"], Size> = {
  small: { lives: 4, parts: 2, steps: 40, disasters: 2 },
  full: { lives: 32, parts: 4, steps: 160, disasters: 6 },
};

/** The catalog's goods. A product of one's own changes them on its first day. */
const SOLD = {
  packs: PACKS,
  imageCredits: creditsFor("image", 1),
  tokensPerCredit: ACTIONS.text.price.per / ACTIONS.text.price.credits,
};

/** Runs histories until the time is over or a fault is found; returns the exit code. */
export async function torture(options: Options): Promise<number> {
  const { seed, provider, print, warn } = options;
  const witness = createWitness();
  const tally = createTally();
  const world = await openWorld(provider, witness);
  // A run that is stopped leaves no process behind.
  const stop = () => void world.stop().finally(() => process.exit(130));
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const theatre: Theatre = { world, witness, tally, sold: SOLD };
  try {
    await playAll(theatre, options);
    for (const line of tally.lines()) print(line);
    print(`${tally.operations()} operations, seed ${seed}, 0 faults`);
    return 0;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    for (const line of await storyOf(theatre, error)) print(line);
    for (const line of [...witness.deaths, ...(await lastWords(world))]) print(line);
    warn(`${tally.operations()} operations, seed ${seed}, a fault: ${error.message}`);
    return 1;
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    await stopWorld(world);
  }
}

async function playAll(theatre: Theatre, options: Options): Promise<void> {
  const { seed, minutes, cycles, isCalm, warn } = options;
  const size = SIZES[options.size];
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1_000;
  for (let number = 0; number < cycles && elapsed() < minutes * 60; number += 1) {
    const cycle = generateCycle(seed, number, size);
    await playCycle(theatre, isCalm ? { ...cycle, disasters: [] } : cycle, seed);
    warn(
      `cycle ${number}: ${theatre.tally.operations()} operations after ${Math.round(elapsed())} s`,
    );
  }
}

async function storyOf(theatre: Theatre, fault: Fault): Promise<string[]> {
  if (fault instanceof AccountFault) return tellStory(theatre.world, fault);
  return [fault.message];
}

const LAST_LINES = 12;

/** The last lines of each program's log. */
async function lastWords({ folder }: World): Promise<string[]> {
  const logs = path.join(folder, "logs");
  const words: string[] = [];
  for (const name of await readdir(logs)) {
    const text = await readFile(path.join(logs, name), "utf8");
    const lines = text.trimEnd().split("\n").slice(-LAST_LINES);
    words.push(`${name} ends with:`, ...lines.map((line) => `  ${line}`));
  }
  return words;
}

/** A world that can't be stopped in order must not hide what was found. */
async function stopWorld(world: World): Promise<void> {
  await world.stop().catch((error: unknown) => console.error(error));
}
