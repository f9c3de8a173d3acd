import { PLAN, TOP_PLAN } from "../fixtures/sold";
import type { ProviderName } from "./payments";
import type { WeekCustomer } from "./week-customer";
import type { PaymentServerUnderTest } from "./with-payment-server";

/** What happens to a customer's money at the provider in a week. */
interface WeekStory {
  /** Where it can happen; by default at both. */
  at?: ProviderName;
  /** What happened before, and was told. */
  before?(customer: WeekCustomer): Promise<unknown>;
  week(customer: WeekCustomer): Promise<unknown>;
}

export const WEEKS: Record<string, WeekStory> = {
  "a refund that succeeds, and one that fails": {
    async week({ pack, plan, refund, failRefund }) {
      await refund(pack, 475);
      await failRefund(await refund(pack, 950));
      await refund(plan, 3000);
      await failRefund(await refund(plan, 6000));
    },
  },
  "a refund from before that fails": {
    async before({ pack, plan, refund }) {
      await refund(pack, 475);
      await refund(plan, 900);
    },
    async week({ pack, plan, refund, failRefund }) {
      await failRefund(await refund(pack));
      await failRefund(await refund(plan));
    },
  },
  "disputes opened: one stays open, one is lost": {
    async week({ pack, plan, dispute, loseDispute }) {
      await dispute(pack, 950);
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
    before: ({ spend }) => spend(700),
    async week({ pack, plan, refund, dispute, winDispute }) {
      await refund(plan, 4500);
      await winDispute(await dispute(pack, 380));
      await refund(pack, 950);
    },
  },
  "an upgrade": {
    week: ({ changePlan }) => changePlan(TOP_PLAN.planKey, "year"),
  },
  "an upgrade that is undone": {
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
    async week({ plan, changePlan, refund }) {
      await changePlan(TOP_PLAN.planKey, "year");
      await refund(plan, 5000);
    },
  },
  "an upgrade whose payment is refunded wholly": {
    async week({ plan, changePlan, refund }) {
      await changePlan(TOP_PLAN.planKey, "year");
      await refund(plan);
    },
  },
  "an upgrade, and a dispute of the payment before it": {
    async week({ changePlan, lastPayment, dispute }) {
      const first = await lastPayment();
      await changePlan(TOP_PLAN.planKey, "year");
      await dispute(first);
    },
  },
  "an upgrade, and a won dispute of each payment": {
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
      await refund(plan, 300);
    },
  },
  "a renewal that fails, is collected and refunded in part": {
    async week({ plan, renew, collect, refund }) {
      await renew("fail");
      await collect();
      await refund(plan, 450);
    },
  },
  "all of it, for one customer": {
    before: ({ spend }) => spend(350),
    async week(customer) {
      const { pack, plan, refund, failRefund, dispute, winDispute, loseDispute } = customer;
      const first = await customer.lastPayment();
      const second = await customer.buyPack();
      await failRefund(await refund(pack, 700));
      await customer.changePlan(TOP_PLAN.planKey, "year");
      await refund(plan, 4000);
      await winDispute(await dispute(first, 3000));
      await refund(second, 380);
      await loseDispute(await dispute(pack, 950));
      await customer.renew("fail");
      await customer.collect();
      await winDispute(await dispute(plan));
      await refund(second, 190);
      await refund(first, 900);
      await dispute(second, 200);
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
