import { createHash } from "node:crypto";
import { getEnv } from "~/env.server";
import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";
import { USER_AGENT } from "~/services/outgoing/user-agent.server";
import { log } from "~/utils/logger.server";

/**
 * Whether the password is in a known data breach, according to the range API of Have I Been Pwned. Only
 * the first 5 of the 40 characters of its SHA-1 leave this server. Padding hides from the network how
 * many passwords share them. Returns false while the check is off, and if the API is slow or down:
 * sign-up should not depend on it.
 */
export async function isBreached(password: string): Promise<boolean> {
  const { passwordBreachApi } = getEnv();
  if (!passwordBreachApi) return false;
  const hash = createHash("sha1").update(password).digest("hex").toUpperCase();
  const url = `${passwordBreachApi}/range/${hash.slice(0, 5)}`;
  try {
    const response = await outgoingFetch("breachedPasswords")(url, {
      headers: { "Add-Padding": "true", "User-Agent": USER_AGENT },
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return listsSuffix(await response.text(), hash.slice(5));
  } catch (error) {
    // Logs only the error's name: its cause, and the address in it, contain part of the hash.
    const reason = error instanceof Error ? error.name : "unknown";
    log().warn({ reason }, "a new password was not looked up in the known data breaches");
    return false;
  }
}

/** Lines are `<suffix>:<count>`; padding lines have a count of 0. */
function listsSuffix(reply: string, suffix: string): boolean {
  return reply.split("\n").some((line) => {
    const [listed, count] = line.trim().split(":");
    return listed?.toUpperCase() === suffix && Number(count) > 0;
  });
}
