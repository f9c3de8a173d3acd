import { z } from "zod";
import type { OauthIdentity } from "~/services/auth/oauth/oauth-identity";
import { personName, providerEmail } from "~/services/auth/oauth/person-fields";
import { readProvider } from "~/services/auth/oauth/read-provider.server";

const userinfoSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(320),
  email_verified: z.boolean(),
  name: z.string().nullish(),
});

/** Who an access token of Google belongs to, read over TLS from Google itself. `sub` never changes. */
export async function readGoogleIdentity(
  url: string,
  { accessToken, signal }: { accessToken: string; signal: AbortSignal },
): Promise<OauthIdentity> {
  const user = await readProvider("google", {
    url,
    accessToken,
    signal,
    schema: userinfoSchema,
  });
  return {
    provider: "google",
    accountId: user.sub,
    verifiedEmail: user.email_verified ? providerEmail(user.email) : null,
    label: user.email,
    name: personName(user.name),
  };
}
