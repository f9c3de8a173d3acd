import { setTimeout as pause } from "node:timers/promises";
import type { Site } from "../plan/operations";
import { settleAll } from "../world/closing";
import { deliverAgain } from "./deliveries";
import type { Person } from "./person";
import { readCredits } from "./questions";
import type { Stage } from "./stage";

/** Between the first two looks at one server. The pauses grow by a millisecond each, so that a step that waits for a provider isn't read thousands of times. */
const GLANCE_MS = 5;

/**
 * While something happens to an account, reads its credits and delivers its earlier events again, at both servers. Each response is of
 * one moment, the ledger only grows, whichever server shows it, and no event has an effect twice. Rejects with the first failure, once
 * all have ended. `mayBeApplied`: one of the earlier events may have its effects anew.
 */
export async function whileWatched(
  stage: Stage,
  person: Person,
  happens: Promise<unknown>,
  { mayBeApplied }: { mayBeApplied: boolean },
): Promise<void> {
  let isOver = false;
  const watch = async (at: Site) => {
    for (let nth = person.steps, looks = 1; !isOver; nth += 2, looks += 1) {
      const again = mayBeApplied ? [] : [nth, nth + 1];
      await settleAll([
        readCredits(stage, person, at, nth % 4 < 2 ? "session" : "key"),
        ...again.map((one) => deliverAgain(stage, person, { nth: one, at })),
      ]);
      stage.count("credits during a step");
      await pause(GLANCE_MS + looks);
    }
  };
  const over = happens.finally(() => {
    isOver = true;
  });
  await settleAll([over, watch(0), watch(1)]);
}
