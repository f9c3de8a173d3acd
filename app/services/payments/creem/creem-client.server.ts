import { z } from "zod";
import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";
import { ProviderRefusal, providerError } from "~/services/payments/payment-faults";
import { scrubText } from "~/utils/scrub-text";

/** Limit for a call in milliseconds, including the response body. */
const TIMEOUT_MS = 10_000;

/** Creem's error body: `{ trace_id, status, error, message[], timestamp }`. */
const refusal = z.object({
  trace_id: z.string().optional(),
  error: z.string().optional(),
  message: z.union([z.array(z.string()), z.string().transform((one) => [one])]).optional(),
});

export interface CreemClient {
  /**
   * Posts JSON under `/v1` and returns the response; null for a 404 about the object. A POST is sent
   * once: Creem has no idempotency keys, so a retry might repeat the effect.
   * @throws AppError 502 provider_error for any other failure or unreadable response
   */
  post<Schema extends z.ZodType>(
    path: string,
    body: object,
    schema: Schema,
  ): Promise<z.output<Schema> | null>;
  /** The same with GET, within `timeoutMs` if it is given. @throws AppError 502 provider_error */
  get<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    limit?: { timeoutMs: number },
  ): Promise<z.output<Schema> | null>;
}

interface ClientOptions {
  apiKey: string;
  apiBase: string;
  timeoutMs?: number;
}

export function createCreemClient(options: ClientOptions): CreemClient {
  async function call<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    { body, ...limit }: { body?: object; timeoutMs?: number },
  ) {
    const { status, text } = await send({ ...options, ...limit }, path, body);
    const json = parseJson(text);
    if (status === 404 && isAboutObject(json)) return null;
    if (status < 200 || status > 299) throw providerError(describeRefusal(path, status, json));
    const reply = schema.safeParse(json);
    if (reply.success) return reply.data;
    throw providerError(new Error(`Creem ${path}: the response could not be read`));
  }
  return {
    post: (path, body, schema) => call(path, schema, { body }),
    get: (path, schema, limit) => call(path, schema, { ...limit }),
  };
}

async function send({ apiKey, apiBase, timeoutMs }: ClientOptions, path: string, body?: object) {
  try {
    const response = await outgoingFetch("creem")(`${apiBase}/v1${path}`, {
      method: body ? "POST" : "GET",
      headers: { "x-api-key": apiKey, ...(body ? { "Content-Type": "application/json" } : {}) },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(timeoutMs ?? TIMEOUT_MS),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    throw providerError(new Error(`Creem: ${scrubText(reason)}`));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a 404 is Creem's own about an object, and not a proxy's or that of an unknown path. */
function isAboutObject(json: unknown): boolean {
  const { message } = refusal.safeParse(json).data ?? {};
  return message !== undefined && !message.some((words) => /^Cannot (GET|POST) /.test(words));
}

function describeRefusal(path: string, status: number, json: unknown): Error {
  const { data } = refusal.safeParse(json);
  const words = data?.message?.join("; ") ?? data?.error ?? "no reason given";
  const trace = data?.trace_id ? `, trace ${data.trace_id}` : "";
  const message = `Creem ${path}: status ${status}${trace}: ${scrubText(words)}`;
  return new ProviderRefusal(status, message);
}
