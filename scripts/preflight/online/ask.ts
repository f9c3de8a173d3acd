import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";
import { USER_AGENT } from "~/services/outgoing/user-agent.server";

/** Posts a form, with HTTP Basic credentials if there are any, and returns the status and JSON of the response. Throws if there is none. */
export async function postForm(
  purpose: "github" | "google" | "botChallenge",
  url: string,
  fields: Record<string, string>,
  basic?: { user: string; password: string },
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await outgoingFetch(purpose)(url, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: {
      Accept: "application/json",
      "User-Agent": USER_AGENT,
      ...(basic ? { Authorization: `Basic ${btoa(`${basic.user}:${basic.password}`)}` } : {}),
    },
  });
  const body: unknown = await response.json().catch(() => null);
  const isObject = typeof body === "object" && body !== null;
  return { status: response.status, body: isObject ? (body as Record<string, unknown>) : {} };
}
