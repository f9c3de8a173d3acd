import type { Person } from "./client";

/** Sends a JSON request under an `Idempotency-Key`. */
export async function postWithKey(person: Person, path: string, key: string, body: object) {
  const response = await person.fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
  };
}
