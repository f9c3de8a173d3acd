import { ACTIONS } from "~/catalog";
import type { DatabaseOrTransaction } from "~/db.server";
import { extendRun } from "~/models/metering/extend.server";
import type { RunFault } from "~/models/metering/runs.server";
import {
  countCharacters,
  countedOutput,
  nextSlice,
  quarterOf,
  reservedInput,
} from "~/models/text/count-tokens";
import type { FinishReason, WrittenText } from "~/models/text/texts.server";
import { deadlineWithin } from "~/services/images/configured-router.server";
import type { TextRequest } from "~/services/text/text-request";
import type { Piece, TextEnd, WriteText } from "~/services/text/text-writer";
import { log } from "~/utils/logger.server";

interface Writing {
  runId: string;
  request: TextRequest;
  /** Reserved so far. */
  units: number;
  /** It has to end within so long. */
  seconds: number;
  signal: AbortSignal;
  onText: (text: string) => void;
  ask: WriteText;
}

/** The next slice is asked for when so much of one is left. */
const AHEAD = Math.ceil(ACTIONS.text.price.per / ACTIONS.text.price.credits / 4);

/**
 * Writes a text and reserves its slices while it comes. Two counts bound what isn't reported yet: slices are asked
 * for by the larger, so that a provider that sends much in a piece is paid for, and the text ends by the
 * smaller, so that nobody's ends before all that is reserved is used.
 */
export async function writeWithin(
  writing: Writing,
  db: DatabaseOrTransaction,
): Promise<WrittenText | { error: RunFault }> {
  const { runId, request, seconds, signal, onText, ask } = writing;
  const { prompt, maxTokens = null } = request;
  const stop = new AbortController();
  // `AbortSignal.any` would let a time-out signal that nothing else holds be collected: it would never fire.
  const timer = setTimeout(() => stop.abort(), deadlineWithin(seconds));
  const call = ask({ prompt, maxTokens, signal: AbortSignal.any([signal, stop.signal]) });
  const input = { reserved: reservedInput(prompt), counted: quarterOf(countCharacters(prompt)) };
  let { units } = writing;
  let [text, pieces, characters] = ["", 0, 0];
  let refusal: FinishReason | null = null;
  let cut: FinishReason | null = null;
  /** Whether the run has ended already. */
  let isOver = false;

  /** Takes one more slice. Returns why there is none. */
  async function extend(): Promise<FinishReason | null> {
    const next = nextSlice(units);
    if (next === units) return "length";
    const { status } = await extendRun({ runId, units: next }, db).catch((error: unknown) => {
      log().error({ err: error, runId }, "a slice could not be reserved");
      return { status: "failed" } as const;
    });
    switch (status) {
      case "extended":
        units = next;
        return null;
      case "insufficient":
        return "credits";
      case "limit_reached":
        return "limit";
      case "failed":
        return "interrupted";
      case "ended":
        // The end of the process or maintenance was faster.
        isOver = true;
        return "interrupted";
    }
  }

  /** Returns why the text has to end after this piece; null if it goes on. */
  async function take({ text: sent, isThought }: Piece): Promise<FinishReason | null> {
    // PostgreSQL can't keep a null character.
    const part = sent.replaceAll("\0", "");
    const longer = characters + countCharacters(part);
    // A provider that keeps to the limit ends by itself, and reports what it used.
    if (maxTokens !== null && countedOutput(pieces + 1, longer) > maxTokens) return "length";
    pieces += 1;
    characters = longer;
    if (!isThought && part) {
      text += part;
      onText(part);
    }
    if (maxTokens !== null) return null;
    const output = countedOutput(pieces, characters);
    const most = input.reserved + Math.max(pieces, quarterOf(characters));
    while (refusal === null && most + AHEAD > units) refusal = await extend();
    // Asked once more when all is used: credits may have come back.
    if (refusal && !isOver && input.counted + output >= units) refusal = await extend();
    return isOver || input.counted + output >= units ? refusal : null;
  }

  async function readAll(): Promise<IteratorReturnResult<TextEnd>> {
    for (;;) {
      const next = await call.next();
      if (next.done) return next;
      if (cut) continue;
      cut = await take(next.value);
      if (cut) stop.abort();
    }
  }

  const next = await readAll().finally(() => clearTimeout(timer));
  const outputTokens = countedOutput(pieces, characters);
  const counted = { inputTokens: input.counted, outputTokens };
  return resultOf({ end: next.value, cut, text, counted });
}

function resultOf(written: {
  end: TextEnd;
  cut: FinishReason | null;
  text: string;
  counted: WrittenText["usage"];
}): WrittenText | { error: RunFault } {
  const { end, cut, text, counted } = written;
  if (text === "")
    return {
      error:
        end.status === "refused" || end.status === "filtered"
          ? "prompt_rejected"
          : "generation_failed",
    };
  const own = end.status === "stop" || end.status === "length" ? end.status : "interrupted";
  return { text, finishReason: cut ?? own, usage: end.usage ?? counted };
}
