import { z } from "zod";
import type { OauthEnv } from "~/env/accounts";
import type { OauthIdentity } from "~/services/auth/oauth/oauth-identity";
import { personName, providerEmail } from "~/services/auth/oauth/person-fields";
import { readProvider } from "~/services/auth/oauth/read-provider.server";

const userSchema = z.object({
  id: z.int().positive(),
  login: z.string().min(1).max(200),
  name: z.string().nullish(),
});
const emailsSchema = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);

/**
 * Who an access token of GitHub belongs to. A login can be given to another person, so the numeric id
 * identifies. The profile's address is free text, so only the verified primary one of the list counts.
 */
export async function readGithubIdentity(
  { apiBase }: NonNullable<OauthEnv["github"]>,
  { accessToken, signal }: { accessToken: string; signal: AbortSignal },
): Promise<OauthIdentity> {
  const [user, emails] = await Promise.all([
    readProvider("github", { url: `${apiBase}/user`, accessToken, signal, schema: userSchema }),
    readProvider("github", {
      url: `${apiBase}/user/emails`,
      accessToken,
      signal,
      schema: emailsSchema,
    }),
  ]);
  const primary = emails.find((email) => email.primary && email.verified);
  return {
    provider: "github",
    accountId: String(user.id),
    verifiedEmail: providerEmail(primary?.email),
    label: user.login,
    name: personName(user.name),
  };
}
