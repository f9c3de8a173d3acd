import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { keepPart } from "~/models/metering/growing/growing-rows.server";
import { log } from "~/utils/logger.server";

/** The result so far is written no more often. */
const EVERY_MS = 400;

/**
 * Keeps a run's result while it comes, for those who read along at any process. A part that can't be kept is not
 * missed: the next has it, and the settlement keeps the whole.
 */
export function keepParts(table: string, runId: string, db: DatabaseOrTransaction = getDb()) {
  let text = "";
  let kept = 0;
  let writing: Promise<void> = Promise.resolve();
  const keep = (): Promise<void> => {
    if (kept === text.length) return Promise.resolve();
    kept = text.length;
    return keepPart(table, { runId, text }, db).catch((error: unknown) =>
      log().warn({ err: error, runId }, "a part of a result was not kept"),
    );
  };
  const timer = setInterval(() => {
    writing = writing.then(keep);
  }, EVERY_MS);
  return {
    add(part: string): void {
      text += part;
    },
    /** Resolves once nothing more is written. */
    async done(): Promise<void> {
      clearInterval(timer);
      await writing;
    },
  };
}
