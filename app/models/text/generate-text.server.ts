import { creditsFor } from "~/catalog";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { keepCall } from "~/models/metering/calls.server";
import {
  type ActionEnd,
  type ActionRequest,
  deadlineOf,
  meter,
} from "~/models/metering/meter.server";
import type { EndedRun, MeterRefusal, StartedRun } from "~/models/metering/start-run.server";
import { firstSlice, reservedInput } from "~/models/text/count-tokens";
import { keepParts } from "~/models/text/keep-parts.server";
import { keepRequest, keepText } from "~/models/text/texts.server";
import { writeWithin } from "~/models/text/write-within.server";
import type { TextRequest } from "~/services/text/text-request";
import type { TextWriter } from "~/services/text/text-writer";

export interface GenerateText {
  userId: string;
  /** The key of a program; none for a session. */
  apiKeyId?: string | null;
  request: TextRequest;
  idempotencyKey: string | null;
  /** Nobody waits for the end. What is written so far is kept, for those who read along. */
  isAsynchronous?: boolean;
  /** Ends the call at the provider; what was written until then is paid. */
  signal: AbortSignal;
  /** Is given each part of the text as it comes. */
  onText: (text: string) => void;
}

type Writing = Pick<GenerateText, "request" | "isAsynchronous" | "signal" | "onText">;

/** Begins to write a text for credits. With `maxTokens` all of it is reserved, else slice by slice. */
export function startText(
  input: GenerateText,
  writer: TextWriter,
  db: DatabaseOrTransaction = getDb(),
): Promise<StartedRun | EndedRun | MeterRefusal> {
  const seconds = deadlineOf("text", { isAsynchronous: input.isAsynchronous ?? false });
  return meter("text", textRun(input), (run) => write({ ...run, seconds }, input, writer, db), db);
}

/** The credits that are taken before a text begins. */
export const creditsAtFirst = (request: TextRequest): number =>
  creditsFor("text", unitsOf(request));

/** The units that are reserved before a text begins. */
export const unitsOf = ({ prompt, maxTokens }: TextRequest): number =>
  maxTokens ? reservedInput(prompt) + maxTokens : firstSlice(reservedInput(prompt));

const textRun = ({
  userId,
  apiKeyId,
  request,
  idempotencyKey,
  isAsynchronous = false,
}: GenerateText): ActionRequest => ({
  userId,
  apiKeyId: apiKeyId ?? null,
  units: unitsOf(request),
  idempotencyKey,
  fields: [request.prompt, request.maxTokens ?? null],
  isAsynchronous,
  own: keepRequest(userId, request),
});

/**
 * Writes the text of a reserved run, within `seconds`. The call is kept before it leaves, since it has no id at the
 * provider: a process that finds it there never makes it again.
 */
export async function write(
  { runId, seconds }: { runId: string; seconds: number },
  { request, isAsynchronous, signal, onText }: Writing,
  { provider, model, write: ask }: TextWriter,
  db: DatabaseOrTransaction = getDb(),
): Promise<ActionEnd> {
  if (!(await keepCall({ runId, provider, model, attempts: [] }, db)))
    return { error: "generation_failed" };
  const units = unitsOf(request);
  const parts = isAsynchronous ? keepParts(runId, db) : null;
  const take = (text: string) => {
    parts?.add(text);
    onText(text);
  };
  const asked = { runId, request, units, seconds, signal, onText: take, ask };
  const written = await writeWithin(asked, db);
  await parts?.done();
  if ("error" in written) return written;
  const { inputTokens, outputTokens } = written.usage;
  return { units: inputTokens + outputTokens, provider, model, own: keepText(written) };
}
