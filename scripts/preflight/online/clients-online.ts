import type { OauthProvider } from "~/services/auth/oauth/oauth-providers";
import { describeError } from "~/utils/describe-error";
import { type Check, type Finding, fault, found, pass, skip } from "../check";
import type { CheckId } from "../check-ids";
import { postForm } from "./ask";

/** A client at a provider; without a base of its own, at the provider itself. */
interface Client {
  clientId: string;
  clientSecret: string;
  oauthBase?: string | null;
}

interface Provider {
  id: Extract<CheckId, `online.signin-${string}`>;
  purpose: OauthProvider;
  name: string;
  /** Begins the names of its variables. */
  prefix: string;
  tokenUrl: string;
}

/** Asks GitHub whether it takes the client's id and secret. */
export function askGithub(client: Client | null): Promise<Check> {
  const tokenUrl = `${client?.oauthBase ?? "https://github.com"}/login/oauth/access_token`;
  const id = "online.signin-github";
  return askProvider(client, { id, purpose: "github", name: "GitHub", prefix: "GITHUB", tokenUrl });
}

/** Asks Google whether it takes the client's id and secret. */
export function askGoogle(client: Client | null): Promise<Check> {
  const tokenUrl = `${client?.oauthBase ?? "https://oauth2.googleapis.com"}/token`;
  const id = "online.signin-google";
  return askProvider(client, { id, purpose: "google", name: "Google", prefix: "GOOGLE", tokenUrl });
}

/**
 * Trades an invented code. A provider checks the client first, so a refusal of the code alone proves
 * that the client is right.
 */
async function askProvider(client: Client | null, provider: Provider): Promise<Check> {
  const { id, purpose, name, prefix, tokenUrl } = provider;
  if (!client) return skip(id, `${name} sign-in is off`);
  const finding = await postForm(
    purpose,
    tokenUrl,
    {
      grant_type: "authorization_code",
      code: "preflight",
      redirect_uri: "https://preflight.invalid/",
      code_verifier: "preflight".repeat(5),
    },
    { user: client.clientId, password: client.clientSecret },
  ).then(
    (response) => judge(response, provider),
    (error) =>
      fault(
        `${name} did not respond: ${describeError(error)}`,
        `check ${prefix}_OAUTH_BASE, and that this machine may reach ${name}`,
      ),
  );
  return finding
    ? found(id, [finding])
    : pass(
        id,
        `${name} takes the client's id and secret; only a browser shows its callback address`,
      );
}

/** A provider's response about the invented code, once it has taken the client. */
const CODE_REFUSED = ["bad_verification_code", "invalid_grant", "redirect_uri_mismatch"];

function judge(
  { status, body }: { status: number; body: Record<string, unknown> },
  { name, prefix }: Provider,
): Finding | null {
  const error = typeof body.error === "string" ? body.error : `status ${status}`;
  if (CODE_REFUSED.includes(error)) return null;
  const isRefused =
    [401, 404].includes(status) ||
    ["incorrect_client_credentials", "invalid_client", "unauthorized_client"].includes(error);
  return isRefused
    ? fault(
        `${name} refuses the client (${error}): nobody can sign in with it`,
        `copy ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET again`,
      )
    : fault(`${name} did not respond as expected: ${error}`, "try again later");
}
