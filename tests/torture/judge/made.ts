import type { KnownRun } from "../act/person";
import type { Made } from "../made";

/** Texts that end so were written to their end, and their provider reports what it used. */
const WHOLE = ["stop", "length"];

/**
 * Nobody pays for more than was made: for no image that no provider gave, and for a text's tokens as they were reported. A
 * text that broke off, or whose report can't be true, is counted: a piece is one token at most, and so are four characters of its prompt.
 */
export function judgeMade(run: KnownRun, { images, pieces, reports }: Made): string[] {
  const { idempotencyKey, outcome, action, units } = run;
  if (outcome !== "charged" || units === null) return [];
  if (action === "image") {
    const most = Math.max(0, ...images);
    if (units <= most) return [];
    return [`${idempotencyKey} paid for ${units} images, and its provider gave ${most}`];
  }
  if (reports.includes(units)) return [];
  // One whose provider goes on beyond the limit is ended here, by its count.
  const isWhole = run.fault !== "no_limit" && WHOLE.includes(run.finishReason ?? "");
  const isReported = reports.length > 0 && isWhole;
  const most = Math.ceil(JSON.parse(run.body).prompt.length / 4) + pieces;
  if (!isReported && units <= most) return [];
  return [
    `${idempotencyKey} paid for ${units} tokens; reported: ${reports.join(", ") || "none"}, made: ${most} at most`,
  ];
}
