import type { Piscina } from "piscina";
import { inLane } from "~/utils/lanes.server";
import workerFile from "./password-estimator.worker.mjs?file";

interface Task {
  password: string;
  words: string[];
}

let estimator: Promise<Piscina<Task, boolean>> | undefined;

/**
 * Whether an attacker would soon find the password by trying common passwords, English and Spanish
 * words, one of them with digits and punctuation, names, dates, keyboard patterns, and `words`: what others
 * know about the account. The first one waits half a second for the dictionaries.
 * @throws AppError 429 rate_limited or 503 busy while too many passwords wait to be judged
 */
export function isGuessable(password: string, words: string[]): Promise<boolean> {
  return inLane("strength", async (signal) =>
    (await startEstimator()).run({ password, words }, { signal }),
  );
}

function startEstimator(): Promise<Piscina<Task, boolean>> {
  estimator ??= import("piscina")
    .then(
      ({ Piscina }) =>
        new Piscina({ filename: workerFile, name: "isWeak", minThreads: 1, maxThreads: 1 }),
    )
    .catch((error: unknown) => {
      // The package may be back: a deploy was replacing it.
      estimator = undefined;
      throw error;
    });
  return estimator;
}
