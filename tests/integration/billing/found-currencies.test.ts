import { beforeEach, expect, test } from "vitest";
import { closeReturn } from "~/models/billing/returns/close-return.server";
import { listKept } from "~/models/billing/returns/known-returns.server";
import { getBalance } from "~/models/credits/balance.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import {
  applyEvents,
  orderDisputed,
  orderRefunded,
  packCheckout,
  setUpBillingEnv,
} from "../../helpers/billing";
import { createUser, openLedger } from "../../helpers/credits";
import { silenceLog } from "../../helpers/silence-log";

// Found by the attack on issue 26: a dispute in another currency than the order's.
setUpBillingEnv();
silenceLog();
const ledger = openLedger();
let userId: string;
let checkout: ReturnType<typeof packCheckout>;
beforeEach(async () => {
  userId = await createUser(ledger.db);
  checkout = packCheckout(userId);
  await applyEvents(ledger.db, checkout);
});
const apply = (...events: BillingEvent[]) => applyEvents(ledger.db, ...events);
const balance = () => getBalance(userId, ledger.db);

// docs/payments.md: a kept return of ours is an error in the log, and preflight, reconcile and `billing returns list`
// name it. Stripe's dispute events never carry the charge, so that no later event of this dispute changes it either.
test("CU1 a dispute of our own order that is kept for its currency is named to the operator", async () => {
  await apply(orderDisputed(checkout, 460, { currency: "eur" }));
  expect(await balance()).toBe(100);
  const named = (await listKept({}, ledger.db)).map((row) => row.providerPaymentId);
  expect(named).toContain(checkout.paymentId);
});

// Decisions 8.6.3: the share is "÷ what was charged, in the payment's own currency". 450 yen are about 3 dollars.
test("CU2 what was charged in dollars doesn't divide a dispute in yen", async () => {
  await apply(orderRefunded(checkout, 50, { returnId: `re_${userId}` }));
  expect(await balance()).toBe(90);
  await apply(orderDisputed(checkout, 450, { currency: "jpy" }));
  expect(await balance()).toBe(90);
});

// docs/payments.md: `refund-failed` gives back what the refund took.
test("CU3 refund-failed gives back though another return of the payment, told first, is kept", async () => {
  await apply(orderDisputed(checkout, 460, { currency: "eur", state: "inquiry" }));
  const names = { returnId: `re_${userId}`, chargedAmount: null };
  await apply(orderRefunded(checkout, 500, names));
  expect(await balance()).toBe(0);
  const { paymentId } = checkout;
  const failed = { provider: "stripe", kind: "refund", paymentId, returnId: null } as const;
  await ledger.db.$transaction((transaction) => closeReturn(failed, transaction));
  expect(await balance()).toBe(100);
});
