import type { z } from "zod";
import type { OauthProvider } from "~/services/auth/oauth/oauth-providers";
import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";
import { USER_AGENT } from "~/services/outgoing/user-agent.server";

/**
 * Reads a JSON document of a provider's API with a person's access token.
 * @throws Error if the provider is down, too slow or returns another shape
 */
export async function readProvider<Schema extends z.ZodType>(
  provider: OauthProvider,
  {
    url,
    accessToken,
    signal,
    schema,
  }: { url: string; accessToken: string; signal: AbortSignal; schema: Schema },
): Promise<z.output<Schema>> {
  const response = await outgoingFetch(provider)(url, {
    headers: {
      Accept: "application/json",
      Authorization: `Bearer ${accessToken}`,
      // GitHub refuses requests without one.
      "User-Agent": USER_AGENT,
    },
    signal,
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return schema.parse(await response.json());
}
