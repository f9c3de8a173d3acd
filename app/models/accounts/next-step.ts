import {
  type ActionKey,
  amountOf,
  creditsFor,
  findPlan,
  type Period,
  PLANS,
  type PlanKey,
} from "~/catalog";

/** A good next step for the owner of an account. Each is true of the account. */
export type NextStep =
  /** The last payment for the plan failed. */
  | { step: "payment" }
  /** Nothing was made yet. */
  | { step: "create"; action: ActionKey }
  /** The plan brings less than is used; a larger one brings each credit for less. */
  | { step: "upgrade"; used: number; planKey: PlanKey; to: PlanKey; period: Period }
  /** Credits expire soon. */
  | { step: "use"; action: ActionKey; amount: number; at: Date };

interface Account {
  balance: number;
  /** Credits used in the last 30 days. */
  used: number;
  hasHistory: boolean;
  expiring: { amount: number; at: Date } | null;
  plan: { planKey: PlanKey; period: Period; status: string; isChangeable: boolean } | null;
  /** The parts that are on here: the action that credits are spent on, and payments. */
  features: { action: ActionKey | null; payments: boolean };
  now: Date;
}

const SOON_MS = 7 * 24 * 60 * 60 * 1000;

/** Returns the most useful next step, or null if there is none. */
export function nextStep(account: Account): NextStep | null {
  const { balance, expiring, plan, features, hasHistory, now } = account;
  if (plan && features.payments && (plan.status === "past_due" || plan.status === "unpaid"))
    return { step: "payment" };
  const { action } = features;
  if (!action) return null;
  // The balance's own card offers credits.
  if (balance < creditsFor(action, 1)) return null;
  if (!hasHistory) return { step: "create", action };
  const upgrade = features.payments ? upgradeOf(account) : null;
  if (upgrade) return upgrade;
  const isSoon = expiring && expiring.at.getTime() - now.getTime() < SOON_MS;
  return isSoon ? { step: "use", action, ...expiring } : null;
}

function upgradeOf({ plan, used }: Account): NextStep | null {
  const current = plan?.isChangeable ? findPlan(plan.planKey) : null;
  if (!plan || !current || used <= current.creditsPerMonth) return null;
  const { planKey, period } = plan;
  const price = (key: PlanKey, credits: number) =>
    amountOf({ type: "plan", planKey: key, period }) / credits;
  const larger = PLANS.find(
    (candidate) =>
      candidate.creditsPerMonth > current.creditsPerMonth &&
      price(candidate.planKey, candidate.creditsPerMonth) < price(planKey, current.creditsPerMonth),
  );
  return larger ? { step: "upgrade", used, planKey, to: larger.planKey, period } : null;
}
