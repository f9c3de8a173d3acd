import { ACTIONS } from "~/catalog";
import { signUp } from "./client";
import { giveCredits } from "./ledger";
import type { ServerUnderTest } from "./with-test-server";

const { per, credits: price } = ACTIONS.text.price;
/** Tokens that a credit pays for. */
export const SLICE = Math.floor(per / price);

/** A prompt to which the stand-in writes so many tokens. */
export const story = (tokens: number) => `A story [tokens:${tokens}]`;

type Person = Awaited<ReturnType<typeof signUp>>;

/** People who have texts written on a server. */
export function textPeople(app: ServerUnderTest) {
  const send = (person: Person, body: object, headers: Record<string, string> = {}) =>
    person.fetch("/api/generate-text", { method: "POST", body: JSON.stringify(body), headers });
  return {
    async personWith(credits: number) {
      const person = await signUp(app.url);
      if (credits > 0) await giveCredits(app, person.email, credits);
      return person;
    },
    send,
    async write(person: Person, body: object, headers?: Record<string, string>) {
      const response = await send(person, body, headers);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    runsOf: (person: Person) =>
      app.sql<{ status: string; error: string | null; charged: number }>(
        `SELECT status, error, credits_charged AS charged FROM metered_runs
         JOIN users ON users.id = account_id WHERE email = $1`,
        [person.email],
      ),
  };
}
