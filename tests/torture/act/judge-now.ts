import type { Evidence } from "../judge/evidence";
import { judgeOwnPlans } from "../judge/judge-account";
import { readAccount } from "../judge/read-account";
import { readMoney } from "../judge/read-money";
import type { Operation } from "../plan/operations";
import { deliverLate } from "./deliveries";
import { must } from "./fault";
import type { Person } from "./person";
import type { Stage } from "./stage";

/** Judges an account in the middle of a part: later steps may put right what is wrong now. */
export async function judgeNow(
  stage: Stage,
  person: Person,
  { after, judge }: { after: string; judge: (evidence: Evidence) => string[] },
): Promise<void> {
  const { world, sold } = stage;
  const began = performance.now();
  const stored = await readAccount(world.database, person.userId).catch((error: unknown) => {
    if (stage.isStormy(began)) return null;
    throw error;
  });
  if (!stored) return;
  const money = await readMoney(world);
  const now = new Date();
  const wrong = judge({ person, sold, provider: world.provider, now, stored, money });
  must(wrong.length === 0, `after ${after}: ${wrong.join("\n")}`);
  stage.count(`account judged after ${after}`);
}

/** Once everything was told, in whatever order, a plan is as its provider has it. */
export async function deliverAndJudge(
  stage: Stage,
  person: Person,
  operation: Operation & { do: "late" },
): Promise<void> {
  const isTold = person.held.length > 0;
  await deliverLate(stage, person, operation);
  if (isTold) await judgePlansAfter(stage, person, "late events");
}

/** A machine's fault may have put an event off, and a comparison may be about to tell it. */
export async function judgePlansAfter(stage: Stage, person: Person, after: string): Promise<void> {
  if (person.isBlurred || stage.comparisons.underWay > 0) return;
  await judgeNow(stage, person, { after, judge: judgeOwnPlans });
}
