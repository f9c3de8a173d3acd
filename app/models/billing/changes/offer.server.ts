import { amountOf, PERIODS, PLANS, slotOf } from "~/catalog";
import { type Database, getDb } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { predictCredits } from "~/models/billing/changes/credits.server";
import { type ChangeLock, findChangeLock } from "~/models/billing/changes/lock";
import type { ChangePreview, PlanOption } from "~/models/billing/changes/preview";
import { prorationDate } from "~/models/billing/changes/proration-date";
import { hasMoneyBack } from "~/models/billing/changes/running-periods.server";
import { changeTiming, type PlanChoice } from "~/models/billing/changes/timing";
import { monthlyCredits } from "~/models/billing/periods/periods.server";
import {
  listRunningSubscriptions,
  type OwnSubscription,
} from "~/models/billing/subscriptions/management.server";
import type { PaymentProvider } from "~/services/payments/payment-provider.server";
import type { PlanStanding, PlanTarget } from "~/services/payments/plan-changes";

export type ProviderOf = (name: PaymentProviderName) => PaymentProvider;

export interface PlanChangeOffer {
  subscription: OwnSubscription;
  plan: PlanChoice;
  lock: ChangeLock | null;
  /** As the provider has it; null if it does not have the subscription. */
  standing: PlanStanding | null;
  options: PlanOption[];
  preview: ChangePreview | null;
}

/** The user's running subscription with this id, or the newest one; null if there is none. */
export async function findChangeable(
  { userId, subscriptionId }: { userId: string; subscriptionId: string | null },
  db: Database = getDb(),
): Promise<OwnSubscription | null> {
  const running = await listRunningSubscriptions(userId, db);
  if (subscriptionId === null) return running[0] ?? null;
  return running.find(({ id }) => id === subscriptionId) ?? null;
}

/**
 * The plans that a subscription can be changed to, and what the chosen one would do. Asks the provider,
 * which alone knows planned and unpaid changes. Writes nothing.
 * @throws AppError 502 provider_error, 503 payments_unavailable
 */
export async function offerPlanChange(
  { subscription, target }: { subscription: OwnSubscription; target: PlanTarget | null },
  providerOf: ProviderOf,
  db: Database = getDb(),
): Promise<PlanChangeOffer> {
  const provider = providerOf(subscription.provider);
  const { providerSubscriptionId } = subscription;
  const standing = await provider.planChanges.findStanding({ providerSubscriptionId });
  const plan = standing?.plan ?? subscription;
  const lock = findChangeLock(standing, await hasMoneyBack(subscription.id, db));
  const options = listOptions(provider, plan);
  const chosen = options.find(
    ({ planKey, period }) => planKey === target?.planKey && period === target.period,
  );
  const preview =
    chosen && standing && lock === null
      ? await previewChange({ subscription, standing, chosen, provider }, db)
      : null;
  return { subscription, plan, lock, standing, options, preview };
}

function listOptions(provider: PaymentProvider, plan: PlanChoice): PlanOption[] {
  return PLANS.flatMap(({ planKey }) =>
    PERIODS.map((period) => ({
      planKey,
      period,
      amount: amountOf({ type: "plan", planKey, period }),
      timing: changeTiming(plan, { planKey, period }),
    })),
  ).filter(({ planKey, period, timing }) => {
    const slot = slotOf({ type: "plan", planKey, period });
    return timing === "same" || provider.listMissing(slot).length === 0;
  });
}

async function previewChange(
  {
    subscription,
    standing,
    chosen,
    provider,
  }: {
    subscription: OwnSubscription;
    standing: PlanStanding;
    chosen: PlanOption;
    provider: PaymentProvider;
  },
  db: Database,
): Promise<ChangePreview | null> {
  const { planKey, period, amount, timing } = chosen;
  const { currentPeriodStart, currentPeriodEnd } = standing;
  if (timing === "same") return null;
  if (timing === "period_end") {
    const later = { planKey, period, amount, at: currentPeriodEnd };
    return provider.planChanges.canSchedule
      ? { ...later, timing, monthly: monthlyCredits(planKey) }
      : { ...later, timing: "resubscribe" };
  }
  const at = prorationDate(new Date(), currentPeriodStart);
  const { providerSubscriptionId } = subscription;
  const target = { planKey, period };
  const price = await provider.planChanges.priceChange({ providerSubscriptionId, at, ...target });
  if (!price) return null;
  const { startsAt, endsAt } = price;
  const credits = await predictCredits({ subscription, startsAt, endsAt, ...target }, db);
  return { ...target, amount, timing, at, price, credits };
}
