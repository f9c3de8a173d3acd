/** A client with a cookie, as curl with a jar would be. Redirects are answered, not followed. */
export interface Client {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends JSON and reads the answer's JSON. */
  json(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>;
  /** The session's cookie, for requests that go past this client. */
  cookie(): string;
  /** Posts a plain form. */
  post(path: string, fields: Record<string, string>): Promise<Response>;
}

export function createClient(baseUrl: string): Client {
  let cookie = "";
  const send: Client["fetch"] = async (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (cookie) headers.set("Cookie", cookie);
    const response = await fetch(new URL(path, baseUrl), { redirect: "manual", ...init, headers });
    const set = response.headers.getSetCookie()[0];
    if (set) cookie = set.split(";")[0] ?? "";
    return response;
  };
  return {
    fetch: send,
    cookie: () => cookie,
    async json(method, path, body) {
      const response = await send(path, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
      });
      const text = await response.text();
      return {
        status: response.status,
        body: text ? (JSON.parse(text) as Record<string, unknown>) : {},
        headers: response.headers,
      };
    },
    post: (path, fields) => send(path, { method: "POST", body: new URLSearchParams(fields) }),
  };
}

let people = 0;

/** Signs up a new person and answers a client with their session. */
export async function signUp(baseUrl: string): Promise<Client & { email: string }> {
  const client = createClient(baseUrl);
  const email = `person-${process.pid}-${Date.now()}-${people++}@example.com`;
  const response = await client.post("/en/sign-up", { email, password: "correct horse battery" });
  if (response.status !== 303) throw new Error(`sign-up answered ${response.status}`);
  return { ...client, email };
}
