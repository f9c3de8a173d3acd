import { createHash } from "node:crypto";
import type { SandboxEvent } from "../payments/delivery-engine";
import { createId } from "../payments/sandbox-id";

/** Seconds between attempts; after the last attempt the event is lost. */
export const CREEM_RETRY_SECONDS = [30, 60, 300, 3600];

export function createCreemEvent(eventType: string, object: object): SandboxEvent {
  const id = createId("evt_");
  const body = JSON.stringify({ id, eventType, created_at: Date.now(), object });
  return { id, type: eventType, body };
}

/** Returns the success URL with the checkout's results, in Creem's order, signed with the API key. */
export function signReturn(
  successUrl: string,
  results: Record<string, string | null>,
  apiKey: string,
): string {
  const present = Object.entries(results).flatMap(([name, value]) =>
    value ? [[name, value] as const] : [],
  );
  const text = [...present, ["salt", apiKey]].map(([name, value]) => `${name}=${value}`).join("|");
  const url = new URL(successUrl);
  for (const [name, value] of present) url.searchParams.append(name, value);
  url.searchParams.append("signature", createHash("sha256").update(text).digest("hex"));
  return url.href;
}
