import { beforeEach, expect, test } from "vitest";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { getBalance } from "~/models/credits/balance.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { BillingEvent, InvoicePaid } from "~/services/payments/billing-event";
import { HAS_TWO_PLANS, PLAN, TOP_PLAN } from "../../fixtures/sold";
import { applyEvents, newSubscription, setUpBillingEnv } from "../../helpers/billing";
import { createUser, DAY, inFuture, openLedger, passTime } from "../../helpers/credits";
import { passPeriods } from "../../helpers/subscriptions";

setUpBillingEnv();
const ledger = openLedger();
let userId: string;
let subscription: ReturnType<typeof newSubscription>;
beforeEach(async () => {
  userId = await createUser(ledger.db);
  subscription = newSubscription(userId);
});
const START = inFuture(-2 * DAY);
const MONTH_END = inFuture(28 * DAY);
const YEAR_END = inFuture(363 * DAY);

async function apply(...events: BillingEvent[]): Promise<number> {
  await applyEvents(ledger.db, ...events);
  await runDueGrants({}, ledger.db);
  return getBalance(userId, ledger.db);
}

/** Lets a month and an hour pass; then runs the daily job. Returns the balance. */
async function passMonth(): Promise<number> {
  const hours = 31 * 24 + 1;
  await passTime(ledger.db, userId, hours * 60 * 60 * 1000);
  await passPeriods(ledger.db, userId, hours);
  return apply();
}

const SALES = {
  month: { from: START, end: MONTH_END, amount: 900, priceId: `price_${PLAN.planKey}_month` },
  year: { from: START, end: YEAR_END, amount: 9000, priceId: `price_${PLAN.planKey}_year` },
  upgrade: {
    from: inFuture(-DAY),
    end: YEAR_END,
    amount: 20_000,
    priceId: `price_${TOP_PLAN.planKey}_year`,
  },
} as const;

/** An invoice; each is paid an hour after the one before. */
function invoice(of: keyof typeof SALES, number: number): InvoicePaid {
  const { from, end, amount, priceId } = SALES[of];
  const paidAt = new Date(inFuture(-DAY).getTime() + number * 60 * 60 * 1000);
  return subscription.paid(of === "upgrade" ? paidAt : from, end, {
    ...{ amount, priceId, paidAt: number === 0 ? from : paidAt },
    ...{ covers: of === "upgrade" ? "upgrade" : "period" },
    payments: [{ id: `pi_${of}_${number}_${userId}`, amount }],
  });
}

/** The first payment of what is paid again, with the year that an upgrade needs. */
async function pay(of: keyof typeof SALES): Promise<InvoicePaid> {
  const base = of === "upgrade" ? "year" : of;
  const { from, end, priceId } = SALES[base];
  const first = invoice(base, 0);
  await apply(subscription.changed(from, end, { priceId, startedAt: from }), first);
  if (of !== "upgrade") return first;
  const upgrade = invoice("upgrade", 1);
  await apply(upgrade);
  return upgrade;
}

const refund = ({ amount, ...of }: InvoicePaid, tenths: number, number = 0) =>
  subscription.refunded({ ...of, amount }, ((amount ?? 0) * tenths) / 10, {
    returnId: `re_${of.invoiceId}_${number}`,
  });

const FULL = { month: 300, year: 300, upgrade: 1200 };
const OWN = { month: 300, year: 300, upgrade: 900 };

for (const of of ["month", "year", "upgrade"] as const)
  for (const tenths of [0, 2, 5, 10])
    test.runIf(HAS_TWO_PLANS)(
      `${of}: with ${tenths} tenths refunded and paid again, the month is whole, and so are later ones`,
      async () => {
        const first = await pay(of);
        const left = FULL[of] - (OWN[of] * tenths) / 10;
        expect(await apply(refund(first, tenths))).toBe(left);
        const again = invoice(of, 3);
        expect(await apply(again)).toBe(FULL[of]);
        // Half of it goes back, too: half of what it gave.
        const half = (OWN[of] * tenths) / 20;
        expect(await apply(refund(again, 5))).toBe(FULL[of] - half);
        expect(await apply({ ...refund(again, 5), state: "failed" })).toBe(FULL[of]);
        // Credits that the first one loses from now on are missing, too.
        if (tenths === 2) expect(await apply(refund(first, 3, 1))).toBe(FULL[of]);
        if (of !== "month") expect(await passMonth()).toBe(FULL[of]);
        expect((await auditLedger({}, ledger.db)).faults).toBe(0);
      },
    );

test.runIf(HAS_TWO_PLANS)(
  "an upgrade that is refunded by half and paid again in a later month gives the missing half of the rest",
  async () => {
    const first = await pay("upgrade");
    expect(await passMonth()).toBe(1200);
    expect(await apply(refund(first, 5))).toBe(750);
    const now = inFuture(-1000);
    const stored = await ledger.db.subscriptionPeriod.findFirstOrThrow({
      where: { kind: "upgrade", subscription: { userId } },
    });
    const lot = await ledger.db.creditTransaction.findFirstOrThrow({
      where: { userId, remaining: { gt: 0 } },
    });
    const left = Number(lot.expiresAt) - now.getTime();
    const times = { periodStart: now, periodEnd: stored.endsAt, paidAt: now };
    const balance = await apply({ ...invoice("upgrade", 3), ...times });
    const most = left >= 27 * DAY ? 450 : Math.ceil((450 * left) / (28 * DAY));
    expect(balance).toBeGreaterThan(750 + 300);
    expect(balance).toBeLessThanOrEqual(750 + most);
    expect(await passMonth()).toBe(1200);
  },
);
