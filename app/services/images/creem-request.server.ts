import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";

interface CreemRequest {
  apiKey: string;
  /** Origin and path without a trailing slash and without /v1. */
  apiBase: string;
  /** Path below /v1, such as `/moderation/prompt`. */
  path: string;
  body: unknown;
  timeoutMs: number;
}

/**
 * Posts JSON to Creem and returns the JSON response. Throws if no response comes in time, or if it
 * isn't a success or isn't JSON. The message carries the status and nothing of either body.
 */
export async function postToCreem(request: CreemRequest): Promise<unknown> {
  const { apiKey, apiBase, path, body, timeoutMs } = request;
  const response = await outgoingFetch("promptCheck")(`${apiBase}/v1${path}`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`Creem returned ${response.status} to POST /v1${path}`);
  // A parser's message would quote the response, which repeats the prompt.
  return response.json().catch(() => {
    throw new Error(`Creem returned no JSON to POST /v1${path}`);
  });
}
