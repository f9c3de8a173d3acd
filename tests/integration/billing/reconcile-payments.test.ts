import { beforeEach, expect, test } from "vitest";
import { parseEnv } from "~/env.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { reconcile } from "~/models/billing/reconciliation/run-reconciliation.server";
import { getBalance } from "~/models/credits/balance.server";
import type { BillingEvent, InvoicePaid } from "~/services/payments/billing-event";
import type { BillingRecords } from "~/services/payments/billing-records.server";
import { PLAN, TOP_PLAN } from "../../fixtures/sold";
import {
  applyEvents,
  newSubscription,
  orderRefunded,
  packCheckout,
  setUpBillingEnv,
} from "../../helpers/billing";
import { createUser, DAY, inFuture, openLedger } from "../../helpers/credits";
import { silenceLog } from "../../helpers/silence-log";

setUpBillingEnv();
silenceLog();
const ledger = openLedger();
const [START, MONTH_END, YEAR_END] = [inFuture(-2 * DAY), inFuture(28 * DAY), inFuture(363 * DAY)];
let userId: string;
beforeEach(async () => {
  userId = await createUser(ledger.db);
});
const apply = (...events: BillingEvent[]) => applyEvents(ledger.db, ...events);
const balance = () => getBalance(userId, ledger.db);

/** Runs reconcile with `--apply` on what Stripe lists. Returns what it found. */
async function reconcileWith(there: {
  returns?: BillingEvent[];
  subscriptions?: BillingEvent[];
  invoices?: InvoicePaid[];
}): Promise<string[]> {
  const records: BillingRecords = {
    name: "stripe",
    async *listPayments() {},
    async *listCharges() {},
    async *listSubscriptions() {
      yield there.subscriptions ?? [];
    },
    async *listReturns() {
      yield there.returns ?? [];
    },
    async *listPaidInvoices() {
      yield (there.invoices ?? []).map(({ invoiceId, providerSubscriptionId }) => ({
        invoiceId: invoiceId ?? "",
        providerSubscriptionId,
      }));
    },
    findSubscription: async () => null,
    listPaidPeriods: async () => there.invoices ?? [],
    findCheckout: async () => null,
  };
  const { stripe } = parseEnv(process.env).payments;
  const found: string[] = [];
  await reconcile(
    {
      ...{ db: ledger.db, records, prices: stripe.prices, site: "localhost:3000", userId },
      ...{ since: START, startedAt: new Date(0) },
    },
    {
      ...{ apply: true, checkouts: [], onProgress: () => undefined },
      onOutcome: ({ says }) => void found.push(says),
    },
  );
  await runDueGrants({}, ledger.db);
  return found;
}

test("a figure of one refund doesn't hide a second refund whose webhooks were lost", async () => {
  const checkout = packCheckout(userId);
  const refunded = (n: number) =>
    orderRefunded(checkout, 250, { returnId: `re_${n}_${userId}`, occurredAt: new Date() });
  await apply(checkout, orderRefunded(checkout, 250, { occurredAt: new Date() }));
  expect(await balance()).toBe(50);
  const found = await reconcileWith({ returns: [refunded(2), refunded(1)] });
  expect({ found: found.length > 0, balance: await balance() }).toEqual({
    found: true,
    balance: 0,
  });
});

test("the payment of a month that was paid again, whose webhook was lost, is found", async () => {
  const subscription = newSubscription(userId);
  const paidBy = (n: number) => ({ payments: [{ id: `pi_${n}_${userId}`, amount: 900 }] });
  const changed = subscription.changed(START, MONTH_END, { startedAt: START });
  const first = subscription.paid(START, MONTH_END, paidBy(1));
  const again = subscription.paid(START, MONTH_END, { ...paidBy(2), paidAt: inFuture(-DAY) });
  const returnId = `re_${userId}`;
  await apply(changed, first, subscription.refunded(first, 900, { returnId }));
  expect(await balance()).toBe(0);
  const now = { ...changed, occurredAt: new Date() };
  await reconcileWith({ subscriptions: [now], invoices: [first, again] });
  const reconciled = await balance();
  await apply(again);
  await runDueGrants({}, ledger.db);
  expect({ reconciled, told: await balance() }).toEqual({ reconciled: 300, told: 300 });
});

test("an upgrade that was paid and undone in the lost week gives its credits", async () => {
  const subscription = newSubscription(userId);
  const priceId = `price_${PLAN.planKey}_year`;
  const changed = subscription.changed(START, YEAR_END, { startedAt: START, priceId });
  const base = subscription.paid(START, YEAR_END, { amount: 9000, priceId });
  const upgrade = subscription.paid(inFuture(-DAY), YEAR_END, {
    ...{ covers: "upgrade", amount: 19_000, priceId: `price_${TOP_PLAN.planKey}_year` },
  });
  const back = subscription.paid(inFuture(-DAY / 2), YEAR_END, {
    ...{ covers: "upgrade", amount: 0, priceId, replacesEarlier: true },
  });
  await apply(changed, base);
  const now = { ...changed, occurredAt: new Date() };
  await reconcileWith({ subscriptions: [now], invoices: [base, upgrade, back] });
  const reconciled = await balance();
  await apply(upgrade, back);
  await runDueGrants({}, ledger.db);
  expect({ reconciled }).toEqual({ reconciled: await balance() });
});
