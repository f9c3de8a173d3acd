import { comeBack } from "./act/deletions";
import { deliver } from "./act/deliveries";
import { signIn, signUp } from "./act/entering";
import { Fault } from "./act/fault";
import { newPerson, type Person } from "./act/person";
import { judgeComparison } from "./act/reconcile";
import { tellEnds } from "./act/returns";
import type { Sold, Stage } from "./act/stage";
import { takeStep } from "./act/take-step";
import { inTurns } from "./in-turns";
import { judgeRepairs } from "./judge/damages";
import { drain, resolve } from "./judge/drain";
import { judgeGoneFiles } from "./judge/gone-files";
import { AccountFault, judgeAll } from "./judge/judge";
import { judgePapers } from "./judge/papers";
import { MONTH_HOURS } from "./plan/generate";
import { type Cycle, type Disaster, LATE, type Life, type Operation } from "./plan/operations";
import { createRandom, partOf } from "./random";
import { createStorms, type Storms } from "./storms";
import type { Tally } from "./tally";
import type { Kept } from "./witness";
import type { World } from "./world/world";

const HOUR = 3_600_000;
/** The stage of a run. */
export interface Theatre {
  world: World;
  witness: Kept;
  sold: Sold;
  tally: Tally;
}

/** Once it has none, no further step is taken. */
export type HasTime = () => boolean;

/**
 * Plays a cycle to its end, or as far as it gets in its time, and judges it at every pause. What was played is
 * judged to the end in any case. @throws Fault
 */
export async function playCycle(theatre: Theatre, cycle: Cycle, timing: Timing): Promise<void> {
  const storms = createStorms(theatre.world, theatre.tally.disaster);
  try {
    await playUnder(storms, theatre, cycle, timing);
  } finally {
    storms.end();
  }
}

interface Timing {
  seed: number;
  hasTime: HasTime;
}

async function playUnder(
  storms: Storms,
  { world, witness, sold, tally }: Theatre,
  cycle: Cycle,
  { seed, hasTime }: Timing,
): Promise<void> {
  // Lives come first; accounts that were deleted are added behind them.
  const people: Person[] = [];
  const stage: Stage = {
    ...{ world, sold, count: tally.count },
    ...{ isStormy: storms.isStormy, hadStorm: storms.hadStorm },
    ...{ callsFor: witness.callsFor, madeFor: witness.madeFor, mailsTo: witness.mailsTo },
    ...{ everyone: () => people, comparisons: { underWay: 0 } },
  };
  people.push(...(await openAccounts(stage, witness, cycle.lives, seed)));
  for (const [part, hours] of cycle.hours.entries()) {
    const disasters = cycle.disasters[part] ?? [];
    await playPart(stage, {
      storms,
      witness,
      people,
      lives: cycle.lives,
      part,
      disasters,
      hasTime,
      stepTaken: tally.step,
    });
    await pauseAndJudge(stage, storms, witness, people);
    if (!hasTime() || part === cycle.hours.length - 1) break;
    // A month behind one of the other parts isn't quiet: there somebody's next step meets first what has ended.
    if (hours >= MONTH_HOURS && part % 2 === 0) await passQuietMonth(stage, people);
    else await passTime(stage, people, hours * HOUR);
  }
  await tellEverything(stage, people, seed);
  for (const person of people)
    for (const { sessionId, isTold, isLost } of person.sales)
      if (!isTold && !isLost) throw new AccountFault(person, `nobody ever told of ${sessionId}`);
  await pauseAndJudge(stage, storms, witness, people);
  await inTurns(present(people), (person) => judgePapers(stage, person));
  await judgeComparison(stage);
  await judgeRepairs(stage, present(people), seed);
  if (people.some(({ isGone }) => isGone)) await judgeGoneLater(stage, people);
  await passQuietMonth(stage, people);
}

/** A month in which nobody does anything: what ends then is booked by nothing but maintenance. */
async function passQuietMonth(stage: Stage, people: readonly Person[]): Promise<void> {
  await passTime(stage, people, MONTH_HOURS * HOUR);
  await drain(stage);
  await judgeAll(stage, people);
}

/** Of an account that was deleted a moment ago, files may still be there until time has passed. */
async function judgeGoneLater(stage: Stage, people: readonly Person[]): Promise<void> {
  await stage.world.passTime(HOUR);
  await drain(stage);
  await judgeGoneFiles(stage, people);
}

const present = (people: readonly Person[]) => people.filter(({ isGone }) => !isGone);

let opened = 0;

async function openAccounts(stage: Stage, witness: Kept, lives: readonly Life[], seed: number) {
  return inTurns(lives, async ({ name }) => {
    opened += 1;
    const email = `life-${seed}-${name}-${opened}@torture.example`;
    return enter(stage, witness, newPerson(name, email, `10.0.${opened >> 8}.${opened & 255}`));
  });
}

async function enter(stage: Stage, witness: Kept, person: Person): Promise<Person> {
  await signUp(stage, person);
  witness.welcome(person);
  return person;
}

interface Part {
  storms: Storms;
  witness: Kept;
  /** Lives come first; accounts that were deleted are added behind them. */
  people: Person[];
  lives: readonly Life[];
  part: number;
  disasters: readonly Disaster[];
  hasTime: HasTime;
  stepTaken(): void;
}

/** Requests that are to be late are made last, by all at once, so that the pause comes while they are on their way. */
async function playPart(stage: Stage, played: Part): Promise<void> {
  await playSteps(stage, played, (operation) => !isLate(operation));
  await playSteps(stage, { ...played, disasters: [] }, isLate);
}

const isLate = (operation: Operation) => "fault" in operation && operation.fault === LATE;

async function playSteps(
  stage: Stage,
  { storms, witness, people, lives, part, disasters, hasTime, stepTaken }: Part,
  isNow: (operation: Operation) => boolean,
): Promise<void> {
  const coming = [...disasters];
  let done = 0;
  const isOver = { value: false };
  await inTurns(lives, async ({ parts }, at) => {
    for (const operation of parts[part]?.filter(isNow) ?? []) {
      const person = people[at];
      if (isOver.value || !person || !hasTime()) return;
      await step(stage, person, operation).catch((error: unknown) => {
        isOver.value = true;
        throw error;
      });
      if (person.isGone) {
        people.push(person);
        people[at] = await enter(stage, witness, comeBack(person));
      }
      done += 1;
      stepTaken();
      while (coming[0] && coming[0].after <= done) {
        const disaster = coming.shift();
        if (disaster) storms.begin(disaster);
      }
    }
  });
}

async function step(stage: Stage, person: Person, operation: Operation): Promise<void> {
  const before = person.known;
  try {
    await takeStep(stage, person, operation);
    person.story.push(`${JSON.stringify(operation)}  ${before} → ${person.known}`);
  } catch (error) {
    person.story.push(`${JSON.stringify(operation)}  ${before} → fault`);
    if (error instanceof Fault) throw new AccountFault(person, error.message);
    throw error;
  }
}

async function pauseAndJudge(
  stage: Stage,
  storms: Storms,
  witness: Kept,
  people: readonly Person[],
): Promise<void> {
  await storms.calm();
  await drain(stage);
  await inTurns(present(people), (person) => resolve(stage, person));
  await inTurns(people, (person) => tellEnds(stage, person));
  await drain(stage);
  await judgeAll(stage, people);
  await judgeGoneFiles(stage, people);
  if (witness.deaths[0]) throw new Fault(witness.deaths[0]);
  const [stranger] = witness.strangers;
  if (stranger) throw new Fault(`${stranger.type} names nobody: ${stranger.body}`);
  for (const person of people) {
    Object.assign(person, { isBlurred: false, known: null });
    person.story.push("— a pause: all was judged and right");
  }
}

async function passTime(stage: Stage, people: readonly Person[], milliseconds: number) {
  await stage.world.passTime(milliseconds);
  await inTurns(present(people), (person) => signIn(stage, person));
  for (const { story } of people) story.push(`— ${milliseconds / HOUR} hours pass`);
}

/** All that was kept back arrives, and then every event twice more, in any order. */
async function tellEverything(
  stage: Stage,
  people: readonly Person[],
  seed: number,
): Promise<void> {
  await inTurns(people, async (person) => {
    // By its name, so that the same comes where other lives are left out.
    const random = createRandom(partOf(seed, ...person.name.split("-").map(Number)));
    const all = random.shuffled([
      ...person.held.splice(0),
      ...person.fresh.splice(0),
      ...person.arrived,
      ...person.arrived,
    ]);
    for (const event of all) {
      const site = random.int(0, 1) === 0 ? 0 : 1;
      await deliver(stage, person, event, { copies: 1, at: site }).catch((error: unknown) => {
        throw error instanceof Fault ? new AccountFault(person, error.message) : error;
      });
    }
    person.story.push("— everything was delivered again, in another order");
  });
}
