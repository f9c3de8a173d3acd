import type { Operation } from "../plan/operations";
import { deleteAccount } from "./deletions";
import { keepDoubt, redeliver } from "./deliveries";
import { discard, upload } from "./files";
import { deliverAndJudge } from "./judge-now";
import { repair, replay, retry } from "./operators";
import type { Person } from "./person";
import { changePlan, collect, decide, decideThere, givePlanBack, renew, subscribe } from "./plans";
import { buy } from "./purchases";
import {
  askAfterwards,
  askAsStranger,
  askCredits,
  askEstimate,
  askPage,
  askRun,
  askRuns,
} from "./questions";
import { reconcile } from "./reconcile";
import { giveBack, settle } from "./returns";
import { doAgain, doRuns } from "./runs";
import { adjust, maintain, makeKey, revokeKey, setLimit } from "./settings";
import type { Stage } from "./stage";
import { doStream } from "./streams";
import { agreeToTopUp } from "./top-ups";
import { whileWatched } from "./watch";

/** These sign in anew, which ends the session with which somebody would read meanwhile. */
const SIGNS_IN: readonly Operation["do"][] = ["key", "revoke", "limit", "top up", "delete"];

/** Takes one step of an account, and judges it. @throws Fault */
export async function takeStep(stage: Stage, person: Person, operation: Operation): Promise<void> {
  person.steps += 1;
  const happens = act(stage, person, operation);
  // An operator's replay that was cut off leaves an event to its next copy.
  const mayBeApplied = operation.do === "replay";
  await (SIGNS_IN.includes(operation.do)
    ? happens
    : whileWatched(stage, person, happens, { mayBeApplied }));
  keepDoubt(person);
  if (person.isGone) return;
  await askAfterwards(stage, person);
  keepDoubt(person);
}

function act(stage: Stage, person: Person, operation: Operation): Promise<unknown> {
  switch (operation.do) {
    case "credits":
      return askCredits(stage, person, operation.at, operation.by);
    case "runs":
      return askRuns(stage, person, operation.at, operation.by);
    case "run":
      return askRun(stage, person, operation);
    case "estimate":
      return askEstimate(stage, person, operation);
    case "page":
      return askPage(stage, person, operation);
    case "image":
    case "text":
      return doRuns(stage, person, operation);
    case "stream":
      return doStream(stage, person, operation);
    case "again":
      return doAgain(stage, person, operation);
    case "buy":
      return buy(stage, person, operation);
    case "return":
      return giveBack(stage, person, operation);
    case "settle":
      return settle(stage, person, operation);
    case "subscribe":
      return subscribe(stage, person, operation);
    case "renew":
      return renew(stage, person, operation);
    case "collect":
      return collect(stage, person, operation);
    case "change":
      return changePlan(stage, person, operation);
    case "cancel":
    case "resume":
      return decide(stage, person, operation);
    case "portal":
      return decideThere(stage, person, operation);
    case "plan return":
      return givePlanBack(stage, person, operation);
    case "late":
      return deliverAndJudge(stage, person, operation);
    case "redeliver":
      return redeliver(stage, person, operation);
    case "top up":
      return agreeToTopUp(stage, person, operation);
    case "upload":
      return upload(stage, person, operation);
    case "discard":
      return discard(stage, person, operation);
    case "limit":
      return setLimit(stage, person, operation);
    case "key":
      return makeKey(stage, person, operation);
    case "revoke":
      return revokeKey(stage, person, operation);
    case "adjust":
      return adjust(stage, person, operation);
    case "maintain":
      return maintain(stage, operation);
    case "repair":
      return repair(stage, person);
    case "reconcile":
      return reconcile(stage, person, operation);
    case "replay":
      return replay(stage, person, operation);
    case "retry":
      return retry(stage, operation);
    case "delete":
      return deleteAccount(stage, person, operation);
    case "stranger":
      return askAsStranger(stage, person, operation);
  }
}
