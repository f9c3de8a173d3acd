import type { Prices } from "~/env/prices";
import type { CreemClient } from "~/services/payments/creem/creem-client.server";
import {
  type CreemSubscription,
  creemSubscription,
  readSubscriptionChange,
} from "~/services/payments/creem/subscription-event";
import type {
  CancelResult,
  ResumeResult,
  SubscriptionStanding,
} from "~/services/payments/payment-provider.server";

/**
 * Statuses in which a subscription has no period that could end: it is paused, was never paid, or its
 * last period is over and only a retry of the payment could start another.
 */
const STANDING_STILL = ["paused", "incomplete", "expired"];

/** @throws AppError 502 provider_error */
export async function checkCreemSubscription(
  creem: CreemClient,
  { providerSubscriptionId, products }: { providerSubscriptionId: string; products: Prices },
): Promise<SubscriptionStanding> {
  const found = await findSubscription(creem, providerSubscriptionId);
  return found ? readStanding(found, products) : { status: "not_found" };
}

/**
 * Reads the subscription first, because Creem refuses to cancel one that has ended.
 * @throws AppError 502 provider_error
 */
export async function cancelCreemSubscription(
  creem: CreemClient,
  request: { providerSubscriptionId: string; when: "period_end" | "now"; products: Prices },
): Promise<CancelResult> {
  const { providerSubscriptionId: id, when, products } = request;
  const found = await findSubscription(creem, id);
  if (!found) return { status: "not_found" };
  const standing = readStanding(found, products);
  if (standing.status === "ended") return standing;
  const atOnce = when === "now" || STANDING_STILL.includes(found.status ?? "");
  if (standing.status === "scheduled" && !atOnce) return standing;
  const canceled = await creem.post(
    `/subscriptions/${encodeURIComponent(id)}/cancel`,
    // Without `mode` the store's own setting decides, which may be immediate cancellation.
    atOnce ? { mode: "immediate" } : { mode: "scheduled", onExecute: "cancel" },
    creemSubscription,
  );
  if (!canceled) return { status: "not_found" };
  const after = readStanding(canceled, products);
  // Creem accepted the request. Its response may still show the status from before: of one that was to end with its period, too.
  if (after.status === "ended") return after;
  return atOnce
    ? { status: "ended", endedAt: null }
    : { status: "scheduled", currentPeriodEnd: canceled.current_period_end_date };
}

/**
 * Creem's call also resumes a paused subscription, so only one whose end is scheduled is sent there.
 * @throws AppError 502 provider_error
 */
export async function resumeCreemSubscription(
  creem: CreemClient,
  { providerSubscriptionId: id, products }: { providerSubscriptionId: string; products: Prices },
): Promise<ResumeResult> {
  const found = await findSubscription(creem, id);
  if (!found) return { status: "not_found" };
  const standing = readStanding(found, products);
  if (standing.status !== "scheduled") return standing;
  const path = `/subscriptions/${encodeURIComponent(id)}/resume`;
  const resumed = await creem.post(path, {}, creemSubscription);
  if (!resumed) return { status: "not_found" };
  const after = readStanding(resumed, products);
  // Creem accepted the request. Its response may still show the status from before.
  return after.status === "ended"
    ? after
    : { status: "renewing", currentPeriodEnd: resumed.current_period_end_date };
}

function findSubscription(creem: CreemClient, id: string): Promise<CreemSubscription | null> {
  return creem.get(`/subscriptions?subscription_id=${encodeURIComponent(id)}`, creemSubscription);
}

function readStanding(subscription: CreemSubscription, prices: Prices): SubscriptionStanding {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, endedAt } = readSubscriptionChange(
    subscription,
    { prices, occurredAt: new Date(), family: "update" },
  );
  if (status === "canceled") return { status: "ended", endedAt };
  return { status: cancelAtPeriodEnd ? "scheduled" : "renewing", currentPeriodEnd };
}
