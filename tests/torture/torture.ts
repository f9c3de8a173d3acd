import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { Fault } from "./act/fault";
import { AccountFault } from "./judge/judge";
import { generateCycle, SIZES } from "./plan/generate";
import type { Cycle } from "./plan/operations";
import { type HasTime, playCycle, type Theatre } from "./play";
import { asTest, kindOf, shrink } from "./shrink";
import { untilSignal } from "./signals";
import { soldBy } from "./sold";
import { tellStory } from "./story";
import { createTally } from "./tally";
import { buildCommit, withFolder } from "./trees";
import { createWitness } from "./witness";
import { type Other, openWorld, type World } from "./world/world";

export interface Options {
  minutes: number;
  seed: number;
  cycles: number;
  provider: "stripe" | "creem";
  size: "small" | "middle" | "full";
  isCalm: boolean;
  /** Minutes in which a history that fails is made shorter. */
  shrinkMinutes: number;
  /** A history to play instead of drawn ones. */
  history: Cycle | null;
  /** A commit, and the program that is a build of it. */
  previous: { commit: string; program: Other["program"] } | null;
  print(line: string): void;
  warn(line: string): void;
}

const MINUTE = 60_000;

/** A fault, and the history that met it. */
interface Found {
  fault: Fault;
  cycle: Cycle;
}

/** Runs histories until the time is over or a fault is found; returns the exit code. */
export async function torture(options: Options): Promise<number> {
  const { previous, provider, warn } = options;
  if (previous === null) return run(options, { provider, other: null });
  return withFolder("torture-previous-", async (folder) => {
    const { commit, program } = previous;
    const root = await buildCommit(folder, commit);
    warn(`${program === "server" ? "server b" : "the worker"} is of ${commit}`);
    return run(options, { provider, other: { root, program } });
  });
}

/** The options with which a theatre is opened. */
interface House {
  provider: Options["provider"];
  /** Null if all programs are of this version. */
  other: Other | null;
}

async function run(options: Options, house: House): Promise<number> {
  const { seed, print, warn } = options;
  const { found, tally } = await inTheatre(house, async (theatre) => {
    const first = await playAll(theatre, options);
    if (first) for (const line of await tellAll(theatre, first)) print(line);
    return { found: first, tally: theatre.tally };
  });
  if (!found) {
    for (const line of tally.lines()) print(line);
    print(`${tally.operations()} operations, seed ${seed}, 0 faults`);
    return 0;
  }
  if (options.shrinkMinutes > 0)
    for (const line of await shorten(found, options, house)) print(line);
  warn(`${tally.operations()} operations, seed ${seed}, a fault: ${found.fault.message}`);
  return 1;
}

async function openTheatre({ provider, other }: House): Promise<Theatre> {
  const witness = createWitness();
  const world = await openWorld(provider, witness, other);
  return { world, witness, tally: createTally(), sold: soldBy(provider) };
}

/** Opens a theatre for as long as it is played in. Also a run that is stopped leaves no process and no file behind. */
async function inTheatre<Result>(
  house: House,
  act: (theatre: Theatre) => Promise<Result>,
): Promise<Result> {
  const opening = openTheatre(house);
  const close = () =>
    opening.then(
      ({ world }) => world.stop(),
      () => undefined,
    );
  return untilSignal(async () => {
    try {
      return await act(await opening);
    } finally {
      await close();
    }
  }, close);
}

async function playAll(theatre: Theatre, options: Options): Promise<Found | null> {
  const { seed, minutes, isCalm, history, warn } = options;
  const cycles = history ? 1 : options.cycles;
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1_000;
  const hasTime = () => Number.isFinite(cycles) || elapsed() < minutes * 60;
  const report = (what: string) =>
    warn(`${what}: ${theatre.tally.operations()} operations after ${Math.round(elapsed())} s`);
  for (let number = 0; number < cycles && hasTime(); number += 1) {
    const drawn = history ?? generateCycle(seed, number, SIZES[options.size]);
    const cycle = isCalm ? { ...drawn, disasters: [] } : drawn;
    const ticking = setInterval(() => report(`in cycle ${number}`), MINUTE);
    const fault = await playOne(theatre, cycle, { seed, hasTime }).finally(() =>
      clearInterval(ticking),
    );
    if (fault) return { fault, cycle };
    report(`cycle ${number}`);
  }
  return null;
}

async function playOne(
  theatre: Theatre,
  cycle: Cycle,
  how: { seed: number; hasTime: HasTime },
): Promise<Fault | null> {
  try {
    await playCycle(theatre, cycle, how);
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** Plays smaller and smaller histories. One that fails may leave its world broken, so the next has a new one. */
async function shorten({ fault, cycle }: Found, options: Options, house: House): Promise<string[]> {
  const { seed, provider, warn } = options;
  const end = performance.now() + options.shrinkMinutes * MINUTE;
  const smallest = await shrink(cycle, {
    suspect: fault instanceof AccountFault ? fault.person.name : null,
    hasTime: () => performance.now() < end,
    async fails(history) {
      const other = await inTheatre(house, (theatre) =>
        playOne(theatre, history, { seed, hasTime: () => true }),
      );
      const isSame = other !== null && kindOf(other.message) === kindOf(fault.message);
      const what = other ? `${isSame ? "the" : "another"} fault: ${other.message}` : "none";
      warn(`${countSteps(history)} steps: ${what}`);
      return isSame;
    },
  });
  const steps = countSteps(smallest);
  return [
    `The smallest history that was found to fail has ${steps} of ${countSteps(cycle)} steps:`,
    ...asTest(smallest, { fault: fault.message, provider, seed }),
  ];
}

const countSteps = ({ lives }: Cycle): number => lives.flatMap(({ parts }) => parts.flat()).length;

async function tellAll(theatre: Theatre, { fault }: Found): Promise<string[]> {
  const { world, witness } = theatre;
  const story = fault instanceof AccountFault ? await tellStory(world, fault) : [fault.message];
  return [...story, ...witness.deaths, ...(await lastWords(world))];
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
