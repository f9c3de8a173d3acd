import { z } from "zod";
import { isLocalHost } from "~/env/formats";
import { clientIdOf } from "./clients";
import type { Provider } from "./faults";

const querySchema = z.object({
  response_type: z.literal("code"),
  client_id: z.string(),
  redirect_uri: z.url(),
  scope: z.string().min(1),
  state: z.string().min(1),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal("S256"),
  prompt: z.literal("select_account"),
});

export type AuthorizeRequest = z.output<typeof querySchema>;

/**
 * Reads an authorization request. Stricter than the providers: PKCE is required, and the return address
 * has to be the exact callback path of this provider on this machine.
 */
export function readAuthorizeRequest(
  provider: Provider,
  query: unknown,
): { request: AuthorizeRequest } | { problem: string } {
  const { data, error } = querySchema.safeParse(query);
  if (!data) return { problem: z.prettifyError(error) };
  if (data.client_id !== clientIdOf(provider)) return { problem: "unknown client_id" };
  const { hostname, pathname, search } = new URL(data.redirect_uri);
  const isCallback = pathname === `/auth/${provider}/callback` && search === "";
  if (!isCallback || !isLocalHost(hostname))
    return { problem: "redirect_uri is not the registered one" };
  return { request: data };
}
