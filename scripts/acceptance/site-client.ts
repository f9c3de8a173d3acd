import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";

const TIMEOUT_MS = 30_000;

export interface SiteResponse {
  status: number;
  headers: Headers;
  /** The response's JSON; empty if it isn't a JSON object. */
  body: Record<string, unknown>;
}

export interface SiteClient {
  /** Redirects are returned, not followed: for a webhook a redirect is a failure. */
  send(
    method: string,
    path: string,
    init?: { body?: BodyInit; headers?: HeadersInit },
  ): Promise<SiteResponse>;
  json(path: string, body: object): Promise<SiteResponse>;
}

/** A visitor of the site with cookies, like a browser without JavaScript. */
export function createSiteClient(site: URL): SiteClient {
  let cookie = "";
  const send: SiteClient["send"] = async (method, path, init = {}) => {
    const headers = new Headers(init.headers);
    if (cookie) headers.set("Cookie", cookie);
    const response = await outgoingFetch("site")(new URL(path, site), {
      method,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(init.body === undefined ? {} : { body: init.body }),
    });
    const [set] = response.headers.getSetCookie();
    if (set) cookie = set.split(";")[0] ?? "";
    return {
      status: response.status,
      headers: response.headers,
      body: parseObject(await response.text()),
    };
  };
  return {
    send,
    json: (path, body) =>
      send("POST", path, {
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json" },
      }),
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
