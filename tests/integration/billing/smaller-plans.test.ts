import { beforeEach, expect, test, vi } from "vitest";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { getBalance } from "~/models/credits/balance.server";
import type { BillingEvent, InvoicePaid } from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";
import { HAS_TWO_PLANS, PLAN, TOP_PLAN } from "../../fixtures/sold";
import { applyEvents, newSubscription, setUpBillingEnv } from "../../helpers/billing";
import { createUser, DAY, inFuture, openLedger, passTime } from "../../helpers/credits";
import { silenceLog } from "../../helpers/silence-log";
import { passPeriods } from "../../helpers/subscriptions";

setUpBillingEnv();
silenceLog();
const ledger = openLedger();
let userId: string;
let subscription: ReturnType<typeof newSubscription>;
beforeEach(async () => {
  userId = await createUser(ledger.db);
  subscription = newSubscription(userId);
});
const [START, YEAR_END] = [inFuture(-2 * DAY), inFuture(363 * DAY)];
const apply = (...events: BillingEvent[]) => applyEvents(ledger.db, ...events);
const balance = () => getBalance(userId, ledger.db);

async function passMonths(months: number): Promise<{ grants: number; failed: string[] }> {
  const hours = 31 * months * 24 + 1;
  await passTime(ledger.db, userId, hours * 60 * 60 * 1000);
  await passPeriods(ledger.db, userId, hours);
  return runDueGrants({}, ledger.db);
}

const paidBy = (id: string, amount: number | null = null) => ({ payments: [{ id, amount }] });

/** A pro year that the operator changed to starter at once: Stripe credits pro and charges starter, as prorations. */
async function downgradedYear(): Promise<InvoicePaid> {
  const year = subscription.paid(START, YEAR_END, {
    ...{ amount: 29000, priceId: `price_${TOP_PLAN.planKey}_year` },
    ...paidBy(`pi_${userId}`, 29000),
  });
  await apply(
    subscription.changed(START, YEAR_END, {
      priceId: `price_${TOP_PLAN.planKey}_year`,
      startedAt: START,
    }),
  );
  await apply(year);
  expect(await balance()).toBe(1200);
  await apply(
    subscription.changed(START, YEAR_END, {
      priceId: `price_${PLAN.planKey}_year`,
      startedAt: START,
      occurredAt: new Date(),
    }),
    subscription.paid(inFuture(-1000), YEAR_END, {
      ...{
        covers: "upgrade",
        priceId: `price_${PLAN.planKey}_year`,
        amount: 0,
        replacesEarlier: true,
      },
    }),
  );
  return year;
}

test.runIf(HAS_TWO_PLANS)(
  "a plan made smaller at once, with its unused time credited, grants the smaller plan's months",
  async () => {
    await downgradedYear();
    await passMonths(1);
    expect(await balance()).toBe(300);
  },
);

test.runIf(HAS_TWO_PLANS)(
  "the dearer payment of such a plan is refunded: its grants and events go on",
  async () => {
    const year = await downgradedYear();
    await apply(subscription.refunded(year, 29000));
    const { failed } = await passMonths(1);
    expect(failed).toEqual([]);
    await apply(
      subscription.changed(START, YEAR_END, {
        priceId: `price_${PLAN.planKey}_year`,
        occurredAt: new Date(),
        cancelAtPeriodEnd: true,
      }),
    );
  },
);

test.runIf(HAS_TWO_PLANS)(
  "a plan made smaller before anybody heard of it: the log names what its first month lacks",
  async () => {
    const said = vi.spyOn(log(), "error");
    await apply(
      subscription.changed(START, YEAR_END, {
        priceId: `price_${PLAN.planKey}_year`,
        startedAt: START,
      }),
    );
    expect(await balance()).toBe(300);
    const year = subscription.paid(START, YEAR_END, {
      ...{ amount: 29000, priceId: `price_${TOP_PLAN.planKey}_year` },
      ...paidBy(`pi_${userId}`, 29000),
    });
    await apply(year, year);
    const lines = said.mock.calls.filter(([, text]) => String(text).includes("a smaller plan"));
    expect(lines).toMatchObject([
      [{ missing: 900, planKey: TOP_PLAN.planKey }, expect.any(String)],
    ]);
    await passMonths(1);
    expect(await balance()).toBe(1200);
  },
);
