import type { Subscription } from "~/generated/prisma/client";
import type { SubscriptionStatus } from "~/services/payments/billing-event";

type StatusTimes = Pick<Subscription, "statusEventAt" | "providerEventAt">;

/** Whether a status is told at all: a scheduled cancellation has none, and `incomplete` replaces no other. */
export const isStated = (told: SubscriptionStatus | null): told is SubscriptionStatus =>
  told !== null && told !== "incomplete";

/** The status here once the provider's is `told`. Only a running subscription is cancelled for later. */
export function statusAfter(
  here: SubscriptionStatus,
  told: SubscriptionStatus | null,
): SubscriptionStatus {
  if (isStated(told)) return told;
  return told === null && here === "incomplete" ? "active" : here;
}

/** When the newest event that stated the status was created; null before the first event. */
export const findStatusTime = ({ statusEventAt, providerEventAt }: StatusTimes): Date | null =>
  statusEventAt ?? providerEventAt;
