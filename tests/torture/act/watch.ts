import { setTimeout as pause } from "node:timers/promises";
import type { Person } from "./person";
import { readCredits } from "./questions";
import type { Stage } from "./stage";

/** Between two reads. */
const GLANCE_MS = 5;

/**
 * Reads the account's credits while something happens to it, at both servers in turns. Each response is of one moment, and the
 * ledger only grows, whichever server shows it. Rejects with the first failure, once both have ended.
 */
export async function whileWatched(
  stage: Stage,
  person: Person,
  happens: Promise<unknown>,
): Promise<void> {
  let isOver = false;
  const watch = async () => {
    for (let at = 0; !isOver; at += 1) {
      await readCredits(stage, person, at % 2 === 0 ? 0 : 1, at % 4 < 2 ? "session" : "key");
      stage.count("credits during a step");
      await pause(GLANCE_MS);
    }
  };
  const ended = await Promise.allSettled([
    happens.finally(() => {
      isOver = true;
    }),
    watch(),
  ]);
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}
