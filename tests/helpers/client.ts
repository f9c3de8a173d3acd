/** A client with cookies, like curl with a cookie jar. Returns redirects without following them. */
export interface Client {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends JSON and returns the response's JSON. */
  json(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>;
  /** The `Cookie` header, for requests that don't use this client. */
  cookie(): string;
  /** Posts a plain form. */
  post(path: string, fields: Record<string, string>): Promise<Response>;
}

let addresses = 0;

/** Returns an address unique in this run; a server with `TRUST_PROXY=1` counts requests by it. */
export function newAddress(): string {
  const number = addresses++;
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** Creates a client with its own address, or with the given one. */
export function createClient(baseUrl: string, address = newAddress()): Client {
  const jar = new Map<string, string>();
  const cookie = () => [...jar.values()].join("; ");
  const send: Client["fetch"] = async (path, init = {}) => {
    const headers = new Headers({ "X-Forwarded-For": address });
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    if (jar.size > 0) headers.set("Cookie", cookie());
    const response = await fetch(new URL(path, baseUrl), { redirect: "manual", ...init, headers });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      const name = pair.split("=")[0] ?? "";
      if (/; Max-Age=0(;|$)/i.test(set)) jar.delete(name);
      else jar.set(name, pair);
    }
    return response;
  };
  return {
    fetch: send,
    cookie,
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

/** The password of every user who signs up in a test. */
export const PASSWORD = "correct horse battery";

/** Signs up a new user and returns a client with their session. */
export async function signUp(baseUrl: string): Promise<Client & { email: string }> {
  const client = createClient(baseUrl);
  const email = `person-${process.pid}-${Date.now()}-${people++}@example.com`;
  const response = await client.post("/en/sign-up", { email, password: PASSWORD });
  if (response.status !== 303) throw new Error(`sign-up answered ${response.status}`);
  return { ...client, email };
}
