import { storePerson } from "./store-person";
import { peopleStoreOf } from "./test-server";

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
  /** Keeps the cookies of these `Set-Cookie` values. */
  keep(setCookies: string[]): void;
}

let addresses = 0;

/** Returns an address unique in this run; a server with `TRUST_PROXY=1` counts requests by it. */
export function newAddress(): string {
  const number = addresses++;
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** Creates a client with its own address, or with the given one. It prefers English, in which tests read pages. */
export function createClient(baseUrl: string, address = newAddress()): Client {
  const jar = new Map<string, string>();
  const cookie = () => [...jar.values()].join("; ");
  const keep: Client["keep"] = (setCookies) => {
    for (const set of setCookies) {
      const [pair = ""] = set.split(";");
      const name = pair.split("=")[0] ?? "";
      if (/; Max-Age=0(;|$)/i.test(set)) jar.delete(name);
      else jar.set(name, pair);
    }
  };
  const send: Client["fetch"] = async (path, init = {}) => {
    const headers = new Headers({ "X-Forwarded-For": address, "Accept-Language": "en" });
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    if (jar.size > 0) headers.set("Cookie", cookie());
    const response = await fetch(new URL(path, baseUrl), { redirect: "manual", ...init, headers });
    keep(response.headers.getSetCookie());
    return response;
  };
  return {
    fetch: send,
    cookie,
    keep,
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

export type Person = Client & { email: string };

/**
 * Creates a user and returns a client with their session. Where a sign-up would do no more, user and
 * session are stored without one: hashed passwords took a sixth of the suite's time.
 */
export async function signUp(baseUrl: string): Promise<Person> {
  const store = peopleStoreOf(baseUrl);
  if (!store) return await signUpByForm(baseUrl);
  const client = createClient(baseUrl);
  const email = newEmail();
  client.keep([await storePerson(store, email)]);
  return { ...client, email };
}

/** Signs a new user up by the form, and returns a client with all its cookies. */
async function signUpByForm(baseUrl: string): Promise<Person> {
  const client = createClient(baseUrl);
  const email = newEmail();
  const response = await client.post("/en/sign-up", { email, password: PASSWORD });
  if (response.status !== 303) throw new Error(`sign-up returned ${response.status}`);
  return { ...client, email };
}

const newEmail = () => `person-${process.pid}-${Date.now()}-${people++}@example.com`;
