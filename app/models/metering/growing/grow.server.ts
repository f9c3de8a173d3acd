import type { ExtendResult } from "~/models/metering/extend.server";
import type { FinishReason, Measure, Usage } from "~/models/metering/growing/growing-action";
import { nextSlice, type Sold } from "~/models/metering/growing/slices";
import type { RunFault } from "~/models/metering/runs.server";
import type { Piece, TextEnd } from "~/services/language-model/language-model";
import { firstAbort } from "~/utils/first-abort";

/** A result that has ended. */
export interface Grown {
  text: string;
  finishReason: FinishReason;
  usage: Usage;
}

interface Growth {
  sold: Sold;
  measure: Measure;
  /** Reserved so far. */
  units: number;
  /** The call has to end within so long. */
  ms: number;
  /** Ends the call at the provider; what came until then is paid. */
  signal: AbortSignal;
  /** Is given each part of the result as it comes. */
  onText: (text: string) => void;
  ask: (signal: AbortSignal) => AsyncGenerator<Piece, TextEnd<Usage>>;
  /** Reserves so many units in all. `failed`: the database can't be asked. */
  extend: (units: number) => Promise<ExtendResult["status"] | "failed">;
}

const REFUSED = {
  insufficient: "credits",
  limit_reached: "limit",
  failed: "interrupted",
  // The end of the process or maintenance was faster.
  ended: "interrupted",
} as const satisfies Record<Exclude<Awaited<ReturnType<Growth["extend"]>>, "extended">, string>;

/**
 * Takes a result as it comes and reserves its slices. Two counts bound what isn't reported yet: slices are asked
 * for by the larger, so that a provider that sends much in a piece is paid for, and the result ends by the
 * smaller, so that nobody's ends before all that is reserved is used.
 */
export async function grow(growth: Growth): Promise<Grown | { error: RunFault }> {
  const { sold, measure, signal, onText, ask } = growth;
  const { limit, input } = measure;
  /** The next slice is asked for when so much of one is left. */
  const ahead = Math.ceil(sold.price.per / sold.price.credits / 4);
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), growth.ms);
  const call = ask(firstAbort(signal, stop.signal));
  let { units } = growth;
  let [text, pieces, characters] = ["", 0, 0];
  let refusal: FinishReason | null = null;
  let cut: FinishReason | null = null;
  /** Whether the run has ended already. */
  let isOver = false;

  /** Takes one more slice. Returns why there is none. */
  async function extend(): Promise<FinishReason | null> {
    const next = nextSlice(sold, units);
    if (next <= units) return "length";
    const status = await growth.extend(next);
    isOver = status === "ended";
    if (status !== "extended") return REFUSED[status];
    units = next;
    return null;
  }

  /** Returns why the result has to end after this piece; null if it goes on. */
  async function take({ text: sent, isHidden }: Piece): Promise<FinishReason | null> {
    // PostgreSQL can't keep a null character.
    const part = sent.replaceAll("\0", "");
    const longer = characters + countCharacters(part);
    const { least, most } = measure.output(pieces + 1, longer);
    // A provider that keeps to the limit ends by itself, and reports what it used.
    if (limit !== null && least > limit) return "length";
    pieces += 1;
    characters = longer;
    if (!isHidden && part) {
      text += part;
      onText(part);
    }
    if (limit !== null) return null;
    while (refusal === null && input.most + most + ahead > units) refusal = await extend();
    const isUsed = () => input.least + least >= units;
    // Asked once more when all is used: credits may have come back.
    if (refusal && !isOver && isUsed()) refusal = await extend();
    return isOver || isUsed() ? refusal : null;
  }

  async function readAll(): Promise<TextEnd<Usage>> {
    for (;;) {
      const next = await call.next();
      if (next.done) return next.value;
      if (cut) continue;
      cut = await take(next.value);
      if (cut) stop.abort();
    }
  }

  const { status, usage } = await readAll().finally(() => clearTimeout(timer));
  if (text === "") {
    const isRejected = status === "refused" || status === "filtered";
    return { error: isRejected ? "prompt_rejected" : "generation_failed" };
  }
  const own = status === "stop" || status === "length" ? status : "interrupted";
  const counted = measure.usage(input.least, measure.output(pieces, characters).least);
  return { text, finishReason: cut ?? own, usage: usage ?? counted };
}

/** Characters, and not the halves that JavaScript counts. */
export const countCharacters = (text: string): number => [...text].length;
