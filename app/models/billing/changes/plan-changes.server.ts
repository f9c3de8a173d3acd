import { createHash } from "node:crypto";
import { type Database, getDb } from "~/db.server";
import { inTurn } from "~/models/billing/changes/in-turn.server";
import { type ChangeLock, findChangeLock } from "~/models/billing/changes/lock";
import type { ProviderOf } from "~/models/billing/changes/offer.server";
import { isPriceCurrent } from "~/models/billing/changes/proration-date";
import { hasMoneyBack } from "~/models/billing/changes/running-periods.server";
import { changeTiming } from "~/models/billing/changes/timing";
import type { OwnSubscription } from "~/models/billing/subscriptions/management.server";
import {
  recordChange,
  recordScheduledChange,
} from "~/models/billing/subscriptions/own-writes.server";
import type { PlanStanding, PlanTarget } from "~/services/payments/plan-changes";
import { log } from "~/utils/logger.server";

/** The amount that the page showed as due: minor units, prorated at `at`. Null for a change at the period's end. */
export interface ShownPrice {
  at: Date;
  amountDue: number;
}

export type PlanChangeResult =
  /** Charged and changed. Credits come when the provider tells of the payment. */
  | { status: "changed" }
  /** Nothing has changed yet: the payment is open. */
  | { status: "payment_open" }
  | { status: "scheduled" }
  | { status: "same_plan" }
  | { status: "locked"; lock: ChangeLock }
  /** The price is not the one that was shown. Nothing was charged. */
  | { status: "outdated" }
  /** The provider can't plan a change for the period's end. */
  | { status: "unsupported" }
  /** Another request of the user takes too long. */
  | { status: "busy" };

interface ChangeRequest {
  subscription: OwnSubscription;
  target: PlanTarget;
  shown: ShownPrice | null;
}

/**
 * Changes a subscription's plan: at once for the price that was shown, or else at the period's end.
 * Grants nothing: the provider's events bring the paid period, and with it the credits. Repeating it
 * changes and charges nothing.
 * @throws AppError 502 provider_error, 503 payments_unavailable
 */
export async function changePlan(
  request: ChangeRequest,
  providerOf: ProviderOf,
  db: Database = getDb(),
): Promise<PlanChangeResult> {
  const { userId } = request.subscription;
  const result = await inTurn(userId, () => change(request, providerOf, db), db);
  return result ?? { status: "busy" };
}

async function change(
  { subscription, target, shown }: ChangeRequest,
  providerOf: ProviderOf,
  db: Database,
): Promise<PlanChangeResult> {
  const { id: subscriptionId, providerSubscriptionId } = subscription;
  const { planChanges } = providerOf(subscription.provider);
  const standing = await planChanges.findStanding({ providerSubscriptionId });
  const timing = changeTiming(standing?.plan ?? subscription, target);
  // The first of two clicks was faster.
  if (timing === "same") return shown ? { status: "changed" } : { status: "same_plan" };
  if (isScheduled(standing, target)) return { status: "scheduled" };
  const lock = findChangeLock(standing, await hasMoneyBack(subscriptionId, db));
  if (lock === "open" && shown) return { status: "payment_open" };
  if (lock || !standing) return { status: "locked", lock: lock ?? "unconfirmed" };
  if (timing === "now") return changeNow({ subscription, target, shown, standing }, providerOf, db);
  const { status } = await planChanges.scheduleChange({ providerSubscriptionId, ...target });
  if (status === "not_found") return { status: "locked", lock: "unconfirmed" };
  if (status === "unsupported") return { status };
  await recordScheduledChange({ id: subscriptionId, target }, db);
  log().info({ subscriptionId, ...target }, "a change of plan is planned");
  return { status };
}

async function changeNow(
  { subscription, target, shown, standing }: ChangeRequest & { standing: PlanStanding },
  providerOf: ProviderOf,
  db: Database,
): Promise<PlanChangeResult> {
  const { id: subscriptionId, userId, providerSubscriptionId } = subscription;
  const { planChanges } = providerOf(subscription.provider);
  const { currentPeriodStart: periodStart } = standing;
  if (!shown || !isPriceCurrent(shown.at, { now: new Date(), periodStart }))
    return { status: "outdated" };
  const request = { providerSubscriptionId, ...target, at: shown.at };
  const price = await planChanges.priceChange(request);
  if (price?.amountDue !== shown.amountDue) return { status: "outdated" };
  const { planKey, period } = target;
  const requestId = digest(userId, subscriptionId, planKey, period, shown.at.toISOString());
  const result = await planChanges.changeNow({ ...request, requestId });
  const { status } = result;
  if (status === "not_found") return { status: "locked", lock: "unconfirmed" };
  if (status === "changed")
    await recordChange({ id: subscriptionId, target, running: result.running }, db);
  log().info({ subscriptionId, ...target, status }, "a plan was changed at once");
  return { status };
}

/**
 * Drops the planned change at the provider, whatever our row says. Repeating it changes nothing. False
 * if another request of the user takes too long.
 * @throws AppError 502 provider_error, 503 payments_unavailable
 */
export async function dropScheduledChange(
  { subscription }: { subscription: OwnSubscription },
  providerOf: ProviderOf,
  db: Database = getDb(),
): Promise<boolean> {
  const { id, userId, provider, providerSubscriptionId } = subscription;
  const dropped = await inTurn(
    userId,
    async () => {
      await providerOf(provider).planChanges.dropScheduledChange({ providerSubscriptionId });
      await recordScheduledChange({ id, target: null }, db);
      return true;
    },
    db,
  );
  return dropped ?? false;
}

function isScheduled(standing: PlanStanding | null, { planKey, period }: PlanTarget): boolean {
  return standing?.scheduled?.planKey === planKey && standing.scheduled.period === period;
}

const digest = (...parts: string[]) =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
