interface CreemRequest {
  apiKey: string;
  /** Origin and path without a slash at its end, and without /v1. */
  apiBase: string;
  /** Below /v1, like `/moderation/prompt`. */
  path: string;
  body: unknown;
  timeoutMs: number;
}

/**
 * Sends JSON to Creem and reads the answer's. Throws when there is no answer in time, when it is no
 * success, or when it is no JSON; the message carries the status and nothing of either body.
 */
export async function postToCreem(request: CreemRequest): Promise<unknown> {
  const { apiKey, apiBase, path, body, timeoutMs } = request;
  const response = await fetch(`${apiBase}/v1${path}`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    // A redirect would carry the key elsewhere.
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`Creem answered ${response.status} to POST /v1${path}`);
  // A parser's message would quote the answer, which repeats the prompt.
  return response.json().catch(() => {
    throw new Error(`Creem answered no JSON to POST /v1${path}`);
  });
}
