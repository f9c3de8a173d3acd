import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  type LanguageModelUsage,
  experimental_streamTextLowMemory as streamText,
} from "ai";
import type { FailureClass } from "~/services/images/image-provider.server";
import { classifyOpenai } from "~/services/images/openai-failure.server";
import type {
  ModelRequest,
  ModelSettings,
  Piece,
  TextEnd,
  TokenUsage,
} from "~/services/language-model/language-model";
import { outgoingStream } from "~/services/outgoing/outgoing-stream.server";
import { USER_AGENT } from "~/services/outgoing/user-agent.server";
import { log } from "~/utils/logger.server";
import { count } from "~/utils/metrics.server";

type LimitName = "max_completion_tokens" | "max_tokens";

/** The limit's name that this endpoint takes. OpenAI refuses the old one, some others know only that. */
let limitName: LimitName = "max_completion_tokens";

const REFUSES_A_NAME = /unsupported|unknown|unrecognized|unexpected|forbidden|not permitted/i;

/** As `TextProvider.ask`. If the endpoint refuses the limit's name, nothing was written: the other name is sent from then on. */
export async function* askModel(
  settings: ModelSettings,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<Piece, TextEnd> {
  const tried = limitName;
  const end = yield* callModel(settings, tried, request, signal);
  if (end.status !== "wrong_limit") return end;
  const other = tried === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  const again = yield* callModel(settings, other, request, signal);
  if (again.status === "wrong_limit") return { status: "invalid", usage: null };
  limitName = other;
  return again;
}

async function* callModel(
  settings: ModelSettings,
  limit: LimitName,
  { prompt, maxTokens }: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<Piece, TextEnd | { status: "wrong_limit" }> {
  const began = performance.now();
  let failed: Failure | null = null;
  let finished: { reason: string; usage: TokenUsage | null } | null = null;
  try {
    const { stream } = streamText({
      model: modelOf(settings, limit),
      prompt,
      ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
      maxRetries: 0,
      abortSignal: signal,
      telemetry: { isEnabled: false },
      // Left out, errors are printed, and with them the prompt. The stream has them, too.
      onError: () => undefined,
    });
    for await (const part of stream) {
      if (part.type === "text-delta") yield { text: part.text, isHidden: false };
      else if (part.type === "reasoning-delta") yield { text: part.text, isHidden: true };
      else if (part.type === "error") failed ??= classify(part.error);
      else if (part.type === "finish")
        finished = { reason: part.finishReason, usage: plausible(part.totalUsage) };
    }
  } catch (error) {
    failed ??= classify(error);
  }
  if (maxTokens !== undefined && failed?.refuses(limit)) return { status: "wrong_limit" };
  const end = endOf(signal, failed, finished);
  logCall(end.status, { ms: Math.round(performance.now() - began), reason: failed?.reason });
  return end;
}

/** A model object: a mere name would go to a gateway of the SDK's makers. */
function modelOf({ apiKey, apiBase, model, purpose }: ModelSettings, limit: LimitName) {
  const provider = createOpenAICompatible({
    name: purpose,
    baseURL: `${apiBase}/v1`,
    apiKey,
    headers: { "User-Agent": USER_AGENT },
    includeUsage: true,
    fetch: outgoingStream(purpose),
    transformRequestBody: ({ max_tokens, ...body }) => ({ ...body, [limit]: max_tokens }),
  });
  return provider.chatModel(model);
}

function endOf(
  signal: AbortSignal,
  failed: Failure | null,
  finished: { reason: string; usage: TokenUsage | null } | null,
): TextEnd {
  if (failed || !finished)
    return { status: signal.aborted ? "aborted" : (failed?.status ?? "ambiguous"), usage: null };
  const { reason, usage } = finished;
  if (reason === "content-filter") return { status: "filtered", usage };
  return { status: reason === "length" ? "length" : "stop", usage };
}

/** Returns the usage that the provider reports; null if it reports none, or one that can't be true. */
function plausible({ inputTokens, outputTokens }: LanguageModelUsage): TokenUsage | null {
  const isCount = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 1e9;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return null;
  return inputTokens + outputTokens > 0 ? { inputTokens, outputTokens } : null;
}

interface Failure {
  status: FailureClass;
  /** For the log. */
  reason: string;
  refuses: (parameter: string) => boolean;
}

/** With these no request left this machine. */
const UNSENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];

/** Reads nothing of an error but its status, its code and the body of a refusal: the rest holds the prompt. */
function classify(error: unknown): Failure {
  const { statusCode: code, responseBody: body = "" } = APICallError.isInstance(error)
    ? error
    : { statusCode: undefined };
  if (code === undefined || code < 400) {
    const reason = nameOf(error);
    const status = UNSENT.includes(reason) ? "transient" : "ambiguous";
    return { status, reason, refuses: () => false };
  }
  return {
    ...classifyOpenai({ code, body }),
    refuses: (parameter) =>
      (code === 400 || code === 422) && body.includes(parameter) && REFUSES_A_NAME.test(body),
  };
}

/** The code of a network error, else the kind of error. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "error in the stream";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause instanceof Error ? nameOf(error.cause) : error.name;
}

/** One line per call, without the prompt. */
function logCall(status: TextEnd["status"], details: object): void {
  count("rcs_provider_calls_total", { action: "text", provider: "text", outcome: status });
  const call = { class: status, ...details };
  if (status === "auth")
    log().error(call, "text call: the provider rejects our key, quota or model");
  else if (status === "transient" || status === "ambiguous") log().warn(call, "text call");
  else log().info(call, "text call");
}
