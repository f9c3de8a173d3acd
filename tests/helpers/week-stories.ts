import { HAS_TWO_PLANS, MIDDLE_PACK, PLAN, TOP_PLAN } from "../fixtures/sold";
import type { ProviderName } from "./payments";
import type { WeekCustomer } from "./week-customer";
import type { PaymentServerUnderTest } from "./with-payment-server";

/** Such a part of what the pack, or the plan's year or month costs. */
const ofPack = (part: number) => Math.floor(MIDDLE_PACK.amount * part);
const ofYear = (part: number) => Math.floor(PLAN.amounts.year * part);
const ofMonth = (part: number) => Math.floor(PLAN.amounts.month * part);
/** Such a part of the credits that the customer begins with. */
const ofCredits = (part: number) => Math.floor((MIDDLE_PACK.credits + PLAN.creditsPerMonth) * part);

/** A customer's money at the provider in a week. */
interface WeekStory {
  /** Where it can happen; by default at both. */
  at?: ProviderName;
  /** Whether it takes a second plan. */
  isOfTwoPlans?: true;
  /** Events from before, which were told. */
  before?(customer: WeekCustomer): Promise<unknown>;
  week(customer: WeekCustomer): Promise<unknown>;
}

export const WEEKS: Record<string, WeekStory> = {
  "a refund that succeeds, and one that fails": {
    async week({ pack, plan, refund, failRefund }) {
      await refund(pack, ofPack(1 / 4));
      await failRefund(await refund(pack, ofPack(1 / 2)));
      await refund(plan, ofYear(1 / 3));
      await failRefund(await refund(plan, ofYear(2 / 3)));
    },
  },
  "a refund from before that fails": {
    async before({ pack, plan, refund }) {
      await refund(pack, ofPack(1 / 4));
      await refund(plan, ofYear(1 / 10));
    },
    async week({ pack, plan, refund, failRefund }) {
      await failRefund(await refund(pack));
      await failRefund(await refund(plan));
    },
  },
  "disputes opened: one stays open, one is lost": {
    async week({ pack, plan, dispute, loseDispute }) {
      await dispute(pack, ofPack(1 / 2));
      await loseDispute(await dispute(plan));
    },
  },
  "disputes opened and won": {
    async week({ pack, plan, dispute, winDispute }) {
      await winDispute(await dispute(pack));
      await winDispute(await dispute(plan));
    },
  },
  "a dispute lost, and won after all": {
    async week({ pack, dispute, loseDispute, winDispute }) {
      const id = await dispute(pack);
      await loseDispute(id);
      await winDispute(id);
    },
  },
  "a refund of what is owed, since most was spent": {
    before: ({ spend }) => spend(ofCredits(7 / 8)),
    async week({ pack, plan, refund, dispute, winDispute }) {
      await refund(plan, ofYear(1 / 2));
      await winDispute(await dispute(pack, ofPack(1 / 5)));
      await refund(pack, ofPack(1 / 2));
    },
  },
  "an upgrade": {
    isOfTwoPlans: true,
    week: ({ changePlan }) => changePlan(TOP_PLAN.planKey, "year"),
  },
  "an upgrade that is undone": {
    isOfTwoPlans: true,
    async week({ changePlan, undoChange }) {
      await changePlan(TOP_PLAN.planKey, "year");
      await undoChange();
    },
  },
  "a year that was refunded, and is paid again": {
    at: "stripe",
    before: ({ plan, refund }) => refund(plan),
    week: ({ payAgain }) => payAgain(),
  },
  "an upgrade whose payment is refunded in part": {
    isOfTwoPlans: true,
    async week({ plan, changePlan, refund }) {
      await changePlan(TOP_PLAN.planKey, "year");
      await refund(plan, ofYear(1 / 2));
    },
  },
  "an upgrade whose payment is refunded wholly": {
    isOfTwoPlans: true,
    async week({ plan, changePlan, refund }) {
      await changePlan(TOP_PLAN.planKey, "year");
      await refund(plan);
    },
  },
  "an upgrade, and a dispute of the payment before it": {
    isOfTwoPlans: true,
    async week({ changePlan, lastPayment, dispute }) {
      const first = await lastPayment();
      await changePlan(TOP_PLAN.planKey, "year");
      await dispute(first);
    },
  },
  "an upgrade, and a won dispute of each payment": {
    isOfTwoPlans: true,
    async week({ plan, changePlan, lastPayment, dispute, winDispute }) {
      const first = await lastPayment();
      await changePlan(TOP_PLAN.planKey, "year");
      await winDispute(await dispute(first));
      await winDispute(await dispute(plan));
    },
  },
  "a smaller period planned, and a renewal that begins it": {
    at: "stripe",
    async week({ plan, changePlan, renew, refund }) {
      await changePlan(PLAN.planKey, "month");
      await renew();
      await refund(plan, ofMonth(1 / 3));
    },
  },
  "a renewal that fails, is collected and refunded in part": {
    async week({ plan, renew, collect, refund }) {
      await renew("fail");
      await collect();
      await refund(plan, ofYear(1 / 20));
    },
  },
  "all of it, for one customer": {
    before: ({ spend }) => spend(ofCredits(7 / 16)),
    async week(customer) {
      const { pack, plan, refund, failRefund, dispute, winDispute, loseDispute } = customer;
      const first = await customer.lastPayment();
      const second = await customer.buyPack();
      await failRefund(await refund(pack, ofPack(1 / 3)));
      if (HAS_TWO_PLANS) await customer.changePlan(TOP_PLAN.planKey, "year");
      await refund(plan, ofYear(1 / 5));
      await winDispute(await dispute(first, ofYear(1 / 3)));
      await refund(second, ofPack(1 / 5));
      await loseDispute(await dispute(pack, ofPack(1 / 2)));
      await customer.renew("fail");
      await customer.collect();
      await winDispute(await dispute(plan));
      await refund(second, ofPack(1 / 10));
      await refund(first, ofYear(1 / 10));
      await dispute(second, ofPack(1 / 9));
      await failRefund(await refund(plan));
    },
  },
};

/**
 * Returns where a customer stands: balance, what each purchase still gives and owes, and the open periods.
 * Not how that came about: credits that were taken and given back, and credits that were never taken, are
 * the same. Times are hours after the first period's start.
 */
export async function standingOf(app: PaymentServerUnderTest, { email }: WeekCustomer) {
  const [standing] = await app.sql<{ balance: number; lots: object[]; orders: object[] }>(
    `WITH owner AS (
       SELECT users.id, min(starts_at) AS zero FROM users
         JOIN subscriptions ON user_id = users.id JOIN subscription_periods ON subscription_id = subscriptions.id
       WHERE email = $1 GROUP BY users.id)
     SELECT
       (SELECT balance FROM credit_accounts WHERE user_id = owner.id) AS balance,
       (SELECT json_agg(l) FROM (
          SELECT round(extract(epoch FROM expires_at - zero) / 3600) AS ends, sum(remaining)::int AS credits
          FROM credit_transactions WHERE user_id = owner.id AND remaining > 0 GROUP BY 1 ORDER BY 1) l) AS lots,
       (SELECT json_agg(o) FROM (
          SELECT sku_key, status, amount_refunded + amount_disputed AS away, credits_reversed, credits_short
          FROM orders WHERE user_id = owner.id ORDER BY created_at) o) AS orders,
       (SELECT json_agg(s) FROM (
          SELECT plan_key, period, status, cancel_at_period_end, scheduled_plan_key,
            round(extract(epoch FROM current_period_start - zero) / 3600) AS starts,
            round(extract(epoch FROM current_period_end - zero) / 3600) AS ends,
            round(extract(epoch FROM paid_until - zero) / 3600) AS paid_until,
            round(extract(epoch FROM next_grant_at - zero) / 3600) AS next_grant
          FROM subscriptions WHERE user_id = owner.id) s) AS subscriptions,
       (SELECT json_agg(p) FROM (
          SELECT kind, periods.plan_key, amount, amount_returned, credits_short, closed_at IS NOT NULL AS closed,
            round(extract(epoch FROM starts_at - zero) / 3600) AS starts,
            round(extract(epoch FROM ends_at - zero) / 3600) AS ends,
            CASE WHEN closed_at IS NULL THEN coalesce(granted_credits, 0) - credits_reversed END AS gives
          FROM subscription_periods periods JOIN subscriptions ON subscriptions.id = subscription_id
          WHERE user_id = owner.id ORDER BY starts_at, kind, closed_at) p) AS periods
     FROM owner`,
    [email],
  );
  if (!standing) throw new Error(`${email} has no period`);
  return standing;
}
