import type { Piscina } from "piscina";
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
 */
export async function isGuessable(password: string, words: string[]): Promise<boolean> {
  return (await (await startEstimator()).run({ password, words })) < MIN_SCORE;
}

function startEstimator(): Promise<Piscina<Task, number>> {
  estimator ??= import("piscina").then(
    ({ Piscina }) =>
      new Piscina({ filename: workerFile, name: "scoreOf", minThreads: 1, maxThreads: 1 }),
  );
  return estimator;
}
