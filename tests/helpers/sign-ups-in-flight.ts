import { PASSWORD } from "./client";

/**
 * Begins `count` sign-ups at once, and resolves with the first response. Each hashes a password, which takes
 * long enough to be in flight when a signal comes. `statuses` are those of all responses.
 */
export async function beginSignUps(url: string, count: number) {
  const responses = Array.from({ length: count }, async (_, n) => {
    const body = new URLSearchParams({ email: `in-flight-${n}@example.com`, password: PASSWORD });
    const response = await fetch(`${url}/en/sign-up`, { method: "POST", body, redirect: "manual" });
    return response.status;
  });
  await Promise.race(responses);
  return { statuses: Promise.all(responses) };
}
