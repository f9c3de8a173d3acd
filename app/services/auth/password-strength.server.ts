import type { Piscina } from "piscina";
import { inLane } from "~/utils/lanes.server";
import workerFile from "./password-estimator.worker.mjs?file";

/** zxcvbn's "safely unguessable: moderate protection from an offline attack" (10^8 guesses). */
const MIN_SCORE = 3;

interface Task {
  password: string;
  words: string[];
}

let estimator: Promise<Piscina<Task, number>> | undefined;

/**
 * Whether an attacker would soon find the password by trying common passwords, English and Spanish
 * words, names, dates, keyboard patterns, and `words`: what others know about the account. The first one
 * waits half a second for the dictionaries.
 * @throws AppError 429 rate_limited or 503 busy while too many passwords wait to be judged
 */
export async function isGuessable(password: string, words: string[]): Promise<boolean> {
  const score = await inLane("strength", async (signal) =>
    (await startEstimator()).run({ password, words }, { signal }),
  );
  return score < MIN_SCORE;
}

function startEstimator(): Promise<Piscina<Task, number>> {
  estimator ??= import("piscina").then(
    ({ Piscina }) =>
      new Piscina({ filename: workerFile, name: "scoreOf", minThreads: 1, maxThreads: 1 }),
  );
  return estimator;
}
