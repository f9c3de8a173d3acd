import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { keepPart } from "~/models/text/texts.server";
import { log } from "~/utils/logger.server";

/** The text so far is written no more often. */
const EVERY_MS = 400;

/**
 * Keeps the text of a run while it comes, for those who read along at any process. A part that can't be kept is not
 * missed: the next has it, and the settlement keeps the whole.
 */
export function keepParts(runId: string, db: DatabaseOrTransaction = getDb()) {
  let text = "";
  let kept = 0;
  let writing: Promise<void> = Promise.resolve();
  const keep = (): Promise<void> => {
    if (kept === text.length) return Promise.resolve();
    kept = text.length;
    return keepPart({ runId, text }, db).catch((error: unknown) =>
      log().warn({ err: error, runId }, "a part of a text was not kept"),
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
