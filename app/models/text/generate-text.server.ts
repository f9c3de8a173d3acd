import { creditsFor } from "~/catalog";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { type ActionRequest, meter, type PerformAction } from "~/models/metering/meter.server";
import type { EndedRun, MeterRefusal, StartedRun } from "~/models/metering/start-run.server";
import { firstSlice, reservedInput } from "~/models/text/count-tokens";
import { keepPrompt, keepText } from "~/models/text/texts.server";
import { writeWithin } from "~/models/text/write-within.server";
import type { TextRequest } from "~/services/text/text-request";
import type { TextWriter } from "~/services/text/text-writer";

export interface GenerateText {
  userId: string;
  /** The key of a program; none for a session. */
  apiKeyId?: string | null;
  request: TextRequest;
  idempotencyKey: string | null;
  /** Ends the call at the provider; what was written until then is paid. */
  signal: AbortSignal;
  /** Is given each part of the text as it comes. */
  onText: (text: string) => void;
}

/** Begins to write a text for credits. With `maxTokens` all of it is reserved, else slice by slice. */
export function startText(
  input: GenerateText,
  writer: TextWriter,
  db: DatabaseOrTransaction = getDb(),
): Promise<StartedRun | EndedRun | MeterRefusal> {
  return meter("text", textRun(input), ({ runId }) => write(runId, input, writer, db), db);
}

/** The credits that are taken before a text begins. */
export const creditsAtFirst = (request: TextRequest): number =>
  creditsFor("text", unitsOf(request));

const unitsOf = ({ prompt, maxTokens }: TextRequest): number =>
  maxTokens ? reservedInput(prompt) + maxTokens : firstSlice(reservedInput(prompt));

const textRun = ({ userId, apiKeyId, request, idempotencyKey }: GenerateText): ActionRequest => ({
  userId,
  apiKeyId: apiKeyId ?? null,
  units: unitsOf(request),
  idempotencyKey,
  fields: [request.prompt, request.maxTokens ?? null],
  own: keepPrompt(userId, request.prompt),
});

async function write(
  runId: string,
  { request, signal, onText }: GenerateText,
  { provider, model, write: ask }: TextWriter,
  db: DatabaseOrTransaction,
): ReturnType<PerformAction> {
  const units = unitsOf(request);
  const written = await writeWithin({ runId, request, units, signal, onText, ask }, db);
  if ("error" in written) return written;
  const { inputTokens, outputTokens } = written.usage;
  return { units: inputTokens + outputTokens, provider, model, own: keepText(written) };
}
