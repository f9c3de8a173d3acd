import type { SandboxEvent } from "../payments/delivery-engine";
import { createId } from "../payments/sandbox-id";
import { nowInSeconds } from "./stripe-state";
import type { Generation } from "./subscription-objects";

/** Seconds between attempts: increasing, for about three days. */
export const STRIPE_RETRY_SECONDS = [60, 300, 1800, 7200, 18_000, 36_000, 43_200, 43_200, 43_200];

const API_VERSIONS: Record<Generation, string> = {
  acacia: "2024-12-18.acacia",
  basil: "2026-10-28.endive",
};

/** An event as Stripe sends it: multi-line JSON, so that only the raw bytes verify. */
export function createStripeEvent(
  type: string,
  object: object,
  generation: Generation,
): SandboxEvent {
  const id = createId("evt_");
  const event = {
    id,
    object: "event",
    api_version: API_VERSIONS[generation],
    created: nowInSeconds(),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
  return { id, type, body: JSON.stringify(event, null, 2) };
}
