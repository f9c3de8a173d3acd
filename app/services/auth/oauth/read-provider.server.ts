import type { z } from "zod";

/**
 * Reads a JSON document of a provider's API with a person's access token.
 * @throws Error if the provider is down, too slow or returns another shape
 */
export async function readProvider<Schema extends z.ZodType>(
  url: string,
  { accessToken, signal, schema }: { accessToken: string; signal: AbortSignal; schema: Schema },
): Promise<z.output<Schema>> {
  const response = await fetch(url, {
    headers: {
      Accept: "application/json",
      Authorization: `Bearer ${accessToken}`,
      // GitHub refuses requests without one.
      "User-Agent": "remix-credits-starter",
    },
    // A redirect would carry the token to another address.
    redirect: "error",
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  return schema.parse(await response.json());
}
