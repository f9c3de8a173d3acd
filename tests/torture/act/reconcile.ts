import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { judgeBought } from "../judge/judge-account";
import type { Operation } from "../plan/operations";
import type { ProviderEvent } from "../world/stand-ins";
import { noteCharge, saleOf } from "./charges";
import { deliverLate } from "./deliveries";
import { Fault, must } from "./fault";
import { judgeNow } from "./judge-now";
import { blur, forget, hasOpenRuns, isSteady, type Person, type Sale } from "./person";
import type { Stage } from "./stage";

const report = z.object({
  differences: z.array(
    z.object({
      object: z.string(),
      userId: z.string().nullable(),
      says: z.string(),
      repair: z.string().nullable(),
      advice: z.string().nullable(),
      applied: z.boolean(),
      failure: z.string().nullable(),
    }),
  ),
});
export type Found = z.output<typeof report>["differences"][number];

const ALL_TIME = ["--since", "2020-01-01"];
/** For a week the service remembers which checkouts it began, and Creem lists none. */
const REMEMBERED_MS = 6 * 24 * 60 * 60 * 1_000;

/** Compares with the provider. Null if the command didn't come to its end, which only a fault of the machines excuses. */
async function compare(stage: Stage, args: readonly string[]): Promise<Found[] | null> {
  const began = performance.now();
  const which = ["--provider", stage.world.provider, ...ALL_TIME, "--json"];
  const { code, output } = await stage.world.command("billing", "reconcile", ...which, ...args);
  const [line] = /^\{"ok":.*$/m.exec(output) ?? [];
  if (line) return report.parse(JSON.parse(line)).differences;
  if (stage.isStormy(began)) return null;
  throw new Fault(`billing reconcile ended with ${code}: ${output}`);
}

/**
 * An operator compares with the provider and repairs. That brings what a delivery that was kept back would have brought, before it
 * arrives, or while it does.
 */
export async function reconcile(
  stage: Stage,
  person: Person,
  operation: Operation & { do: "reconcile" },
): Promise<void> {
  const { whose, copies } = operation;
  const began = performance.now();
  const isOfAll = whose === "all";
  const whom = () => (isOfAll ? stage.everyone() : [person]);
  const told = isOfAll ? [] : toldBy(stage, person);
  const mark = isOfAll ? blur : forget;
  doubt(stage, whom(), mark);
  const before = person.held.length;
  const args = ["--apply", ...(isOfAll ? [] : ["--user", person.email])];
  if (isOfAll) stage.comparisons.underWay += 1;
  const [runs] = await Promise.all([
    Promise.all(Array.from({ length: copies }, () => compare(stage, args))),
    deliverMeanwhile(stage, person, operation),
  ]).finally(() => {
    if (isOfAll) stage.comparisons.underWay -= 1;
  });
  doubt(stage, whom(), mark);
  forget(person);
  const found = runs.flatMap((differences) => differences ?? []);
  const isBroken = runs.includes(null) || stage.isStormy(began);
  const isAlone = copies === 1 && operation.meanwhile === null && !isOfAll && isSteady(person);
  judgeRepairs(found, { isBroken, isAlone });
  stage.count(`operator: reconcile ${whose}`, copies);
  stage.count("reconcile: repaired", found.filter(({ applied }) => applied).length);
  if (isBroken || isOfAll) return;
  for (const sale of told) sale.isTold = true;
  const isWhole = before === person.held.length && found.every(({ applied }) => applied);
  // A sum at Creem doesn't say of what it is.
  person.isCompared = isWhole && stage.world.provider === "stripe";
  // Nothing was delivered, and yet all is as if it had been.
  if (person.isCompared && !hasOpenRuns(person))
    await judgeNow(stage, person, { after: "reconcile", judge: judgeBought });
}

/** The sales that a comparison which begins now tells for sure. */
function toldBy(stage: Stage, person: Person): Sale[] {
  for (const event of untold(person)) noteCharge(stage, person, event);
  const isRemembered = ({ at }: Sale) =>
    stage.world.provider === "stripe" || Date.now() - at < REMEMBERED_MS;
  const paid = untold(person).flatMap((event) => saleOf(person, event) ?? []);
  return paid.filter(isRemembered);
}

const untold = ({ fresh, held }: Person): ProviderEvent[] => [...fresh, ...held];

/** Everything that the provider knows of them, and nobody told, may be told at any moment. */
function doubt(stage: Stage, people: readonly Person[], mark: (person: Person) => void): void {
  for (const person of people) {
    for (const event of untold(person)) noteCharge(stage, person, event);
    const unsaid = person.sales.filter(({ isTold }) => !isTold);
    for (const sale of unsaid) sale.mayBeTold = true;
    if (unsaid.length + untold(person).length > 0) mark(person);
  }
}

async function deliverMeanwhile(
  stage: Stage,
  person: Person,
  { meanwhile, at }: Operation & { do: "reconcile" },
): Promise<void> {
  if (meanwhile === null) return;
  await pause(meanwhile);
  await deliverLate(stage, person, { do: "late", order: person.steps, copies: 1, at });
}

/** Nothing that can be repaired is left, unless somebody else was quicker. */
function judgeRepairs(
  found: readonly Found[],
  { isBroken, isAlone }: { isBroken: boolean; isAlone: boolean },
): void {
  if (isBroken) return;
  for (const { object, says, repair, failure } of found) {
    if (repair === null || failure === null) continue;
    const isExcused = !isAlone && failure.startsWith("newer data arrived meanwhile");
    must(isExcused, `reconcile: ${object} ${says}: ${repair}, and that failed: ${failure}`);
  }
}

/** Once everything was told, a comparison finds nothing to repair. */
export async function judgeComparison(stage: Stage): Promise<void> {
  const found = await compare(stage, []);
  const whole = stage.everyone().filter((person) => untold(person).length === 0);
  const ids = new Set(whole.map(({ userId }) => userId));
  const left = found?.find(({ userId, repair }) => repair !== null && ids.has(userId ?? ""));
  must(!left, `everything was told, and reconcile finds ${left?.object}: ${left?.says}`);
  stage.count("comparison judged");
}
