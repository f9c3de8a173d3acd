import { must } from "./fault";
import type { Person } from "./person";
import { asForm, ask, headersOf, lookUp, type Stage } from "./stage";

export const PASSWORD = "torture horse battery staple";

/** Signs a new person up, by the form. */
export async function signUp(stage: Stage, person: Person): Promise<void> {
  const credentials = new URLSearchParams({ email: person.email, password: PASSWORD });
  const reply = await ask(stage, {
    ...{ at: 0, method: "POST", path: "/en/sign-up", body: credentials.toString() },
    headers: { ...asForm, ...headersOf(person) },
  });
  // A lost answer to the first one: the account is there.
  if (reply.status === 400) await signIn(stage, person);
  else keepSession(person, reply.status, reply.headers["set-cookie"]);
  const [row] = await lookUp<{ id: string }>(stage, "SELECT id FROM users WHERE email = $1", [
    person.email,
  ]);
  must(row !== undefined, "the sign-up made no account");
  person.userId = row.id;
  if (stage.world.provider === "creem") await proveAddress(stage, person);
  stage.count("sign-up");
}

/** Creem sells to people whose address is proven. That is another test's matter, so it is written down. */
const proveAddress = (stage: Stage, { userId }: Person) =>
  lookUp(stage, "UPDATE users SET email_verified_at = now() WHERE id = $1", [userId]);

/** Begins a new session. Sessions end, and what is sensitive needs one that is new. */
export async function signIn(stage: Stage, person: Person): Promise<void> {
  const credentials = new URLSearchParams({ email: person.email, password: PASSWORD });
  const reply = await ask(stage, {
    ...{ at: 1, method: "POST", path: "/en/sign-in", body: credentials.toString() },
    headers: { ...asForm, ...headersOf(person) },
  });
  keepSession(person, reply.status, reply.headers["set-cookie"]);
  stage.count("sign-in");
}

function keepSession(person: Person, status: number, cookies: string[] | undefined): void {
  must(status === 303, `entering was answered by ${status}`);
  const kept = new Map(person.cookie.split("; ").map((pair) => [pair.split("=")[0], pair]));
  for (const cookie of cookies ?? []) {
    const [pair = ""] = cookie.split(";");
    kept.set(pair.split("=")[0], pair);
  }
  kept.delete("");
  person.cookie = [...kept.values()].join("; ");
}
