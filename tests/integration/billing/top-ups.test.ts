import { afterEach, expect, test } from "vitest";
import { startPackCheckout } from "~/models/billing/checkouts/checkouts.server";
import { reconcile } from "~/models/billing/reconciliation/run-reconciliation.server";
import { turnOffTopUp } from "~/models/billing/top-ups/turn-off.server";
import { getBalance } from "~/models/credits/balance.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import { openBillingRecords } from "~/services/payments/open-billing-records.server";
import { PACK, written } from "../../fixtures/sold";
import { setUpBillingEnv } from "../../helpers/billing";
import { createLot, openLedger } from "../../helpers/credits";
import { silenceLog } from "../../helpers/silence-log";
import {
  COST,
  createOwner,
  doJobs,
  emailsOf,
  keepCardFor,
  moneyOf,
  openTopUpShop,
  settingsOf,
  settleLater,
  spend,
  statusesOf,
  TOP_UP_ENV,
  takeBack,
} from "../../helpers/top-ups";

setUpBillingEnv(TOP_UP_ENV);
silenceLog();
const ledger = openLedger();

afterEach(async () => {
  const { faults } = await auditLedger({}, ledger.db);
  expect(faults).toBe(0);
});

const open = () => openTopUpShop(ledger.db);

test("a spend below the mark charges the kept card once, and the webhook alone brings the credits", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, { runs: 4, mark: 4, packs: 2 });
  const before = (await shop.sent()).length;
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  await doJobs(db, accountId, shop.cards, { again: true });
  expect(await moneyOf(shop, customerId)).toEqual({ charges: 1, taken: PACK.amount, returned: 0 });
  expect(await getBalance(accountId, db)).toBe(3 * COST);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["asked"]);
  const events = (await shop.sent()).slice(before);
  await shop.deliver(...events, ...events.toReversed());
  expect(await getBalance(accountId, db)).toBe(3 * COST + PACK.credits);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["paid"]);
  const topUp = await db.topUp.findFirstOrThrow({ where: { accountId } });
  expect(await db.order.findMany({ where: { userId: accountId } })).toMatchObject([
    {
      providerCheckoutId: `topup:${topUp.id}`,
      providerPaymentId: topUp.providerPaymentId,
      amount: BigInt(PACK.amount),
      status: "paid",
    },
  ]);
  await shop.control("POST", `/payments/${topUp.providerPaymentId}/refund`, {});
  await shop.deliver(...(await shop.sent()).slice(before + events.length));
  expect(await getBalance(accountId, db)).toBe(3 * COST);
});

test("of 100 spends at once across the mark, in two processes' jobs, one charges the card", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, { runs: 120, mark: 70, packs: 5 });
  await Promise.all(Array.from({ length: 100 }, () => spend(db, accountId)));
  const jobs = (again: boolean) => doJobs(db, accountId, shop.cards, { again });
  await Promise.all([jobs(false), jobs(false)]);
  await Promise.all([jobs(true), jobs(true)]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
  await shop.deliver(...(await shop.sent()));
  expect(await getBalance(accountId, db)).toBe(20 * COST + PACK.credits);
});

test.each(["before", "after"])(
  "a call whose answer is lost %s the card was charged is one charge",
  async (lost) => {
    const shop = await open();
    const { db } = ledger;
    const { accountId, customerId } = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
    await spend(db, accountId);
    await shop.control("PUT", "/charges/answers", { lost });
    await doJobs(db, accountId, shop.cards);
    expect(await statusesOf(ledger.db, accountId)).toEqual(["unknown"]);
    expect((await moneyOf(shop, customerId)).charges).toBe(lost === "after" ? 1 : 0);
    await shop.control("PUT", "/charges/answers", {});
    await settleLater(shop, accountId);
    expect(await statusesOf(ledger.db, accountId)).toEqual(["asked"]);
    expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
  },
);

test("an unknown outcome is asked for again within 20 hours, and after that only looked up", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  await spend(db, accountId);
  await shop.control("PUT", "/charges/answers", { lost: "before" });
  await doJobs(db, accountId, shop.cards);
  await shop.control("PUT", "/charges/answers", {});
  await settleLater(shop, accountId, 20 * 60 + 1);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["canceled: never_charged"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 0 });
});

test("an unknown outcome that is no longer wanted is looked up, and charged no more", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  await spend(db, accountId);
  await shop.control("PUT", "/charges/answers", { lost: "before" });
  await doJobs(db, accountId, shop.cards);
  await shop.control("PUT", "/charges/answers", {});
  await createLot(db, accountId, 5 * COST);
  await settleLater(shop, accountId);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["unknown"]);
  await settleLater(shop, accountId, 16);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["canceled: never_charged"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 0 });
});

test("the month's maximum holds, and refunds of top-ups don't raise it", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, { runs: 2, mark: 2, packs: 1 });
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  await shop.deliver(...(await shop.sent()));
  const topUp = await db.topUp.findFirstOrThrow({ where: { accountId } });
  await shop.control("POST", `/payments/${topUp.providerPaymentId}/refund`, {});
  await shop.deliver(...(await shop.sent()));
  await createLot(db, accountId, COST);
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["paid", "canceled: monthly_amount"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1, returned: PACK.amount });
});

test("a second decline in a row turns it off, with an email; a card that works begins anew", async () => {
  const shop = await open();
  const { db } = ledger;
  const owner = await createOwner(shop, { runs: 3, mark: 3, packs: 5, card: "0341" });
  const { accountId, customerId, terms } = owner;
  const crossAgain = async () => {
    await createLot(db, accountId, 3 * COST);
    while ((await getBalance(accountId, db)) >= terms.threshold) await spend(db, accountId);
    await doJobs(db, accountId, shop.cards);
    await shop.deliver(...(await shop.sent()));
  };
  await crossAgain();
  expect(await settingsOf(ledger.db, accountId)).toMatchObject({ offReason: null });
  await crossAgain();
  expect(await settingsOf(ledger.db, accountId)).toMatchObject({ offReason: "declined" });
  expect(await emailsOf(ledger.db, accountId)).toEqual(["top_up_declined", "top_up_off declined"]);
  await crossAgain();
  expect(await statusesOf(ledger.db, accountId)).toEqual(
    Array(2).fill("declined: generic_decline"),
  );
  const { paymentMethodId } = await keepCardFor(shop, accountId, terms);
  expect(await settingsOf(ledger.db, accountId)).toMatchObject({ offAt: null, paymentMethodId });
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
});

test("a bank that wants the owner gets a cancelled payment, and the owner an email", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, {
    runs: 2,
    mark: 2,
    packs: 5,
    card: "3184",
  });
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  await shop.deliver(...(await shop.sent()));
  await doJobs(db, accountId, shop.cards);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["canceled: authentication_required"]);
  expect(await emailsOf(ledger.db, accountId)).toEqual(["top_up_action"]);
  expect(await settingsOf(ledger.db, accountId)).toMatchObject({ offAt: null });
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 0 });
});

test("another price, a dispute, a disabled account and a removed card turn it off before anything is charged", async () => {
  const shop = await open();
  const { db } = ledger;
  const reasons = {
    price: ({ accountId }: Owner) =>
      db.$executeRaw`UPDATE account_settings SET agreed_amount = agreed_amount - 1 WHERE account_id = ${accountId}::uuid`,
    disabled: ({ accountId }: Owner) =>
      db.user.update({ where: { id: accountId }, data: { disabledAt: new Date() } }),
    card_removed: ({ paymentMethodId }: Owner) =>
      shop.control("POST", `/kept-cards/${paymentMethodId}/detach`),
  };
  for (const [reason, change] of Object.entries(reasons)) {
    const owner = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
    await change(owner);
    await spend(db, owner.accountId);
    await doJobs(db, owner.accountId, shop.cards);
    expect(await settingsOf(ledger.db, owner.accountId), reason).toMatchObject({
      offReason: reason,
    });
    expect(await emailsOf(ledger.db, owner.accountId)).toEqual([`top_up_off ${reason}`]);
    expect(await statusesOf(ledger.db, owner.accountId)).toEqual([`canceled: ${reason}`]);
  }
  const { accountId } = await createOwner(shop, { runs: 3, mark: 3, packs: 5 });
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  await shop.deliver(...(await shop.sent()));
  const topUp = await db.topUp.findFirstOrThrow({ where: { accountId } });
  await shop.control("POST", `/payments/${topUp.providerPaymentId}/dispute`, {});
  await shop.deliver(...(await shop.sent()));
  expect(await settingsOf(ledger.db, accountId)).toMatchObject({ offReason: "dispute" });
  expect(await emailsOf(ledger.db, accountId)).toEqual(["top_up_off dispute"]);
});

type Owner = Awaited<ReturnType<typeof createOwner>>;

test("Stripe's own price decides, too", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId } = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  const id = shop.env.payments.stripe.prices[PACK.skuKey];
  await shop.control("PUT", `/prices/${id}`, { amount: PACK.amount + 1, interval: null });
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  expect(await settingsOf(ledger.db, accountId)).toMatchObject({ offReason: "price" });
});

test("a pack bought by hand meanwhile, and a checkout that is open, are charged for once", async () => {
  const shop = await open();
  const { db } = ledger;
  const first = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  await spend(db, first.accountId);
  await createLot(db, first.accountId, 5 * COST);
  await doJobs(db, first.accountId, shop.cards);
  expect(await statusesOf(ledger.db, first.accountId)).toEqual([]);
  const second = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  const buyer = { userId: second.accountId, email: "owner@example.com", locale: "en" };
  await startPackCheckout({ ...buyer, idempotencyKey: null, skuKey: PACK.skuKey }, shop.stripe, db);
  await spend(db, second.accountId);
  await doJobs(db, second.accountId, shop.cards);
  expect(await statusesOf(ledger.db, second.accountId)).toEqual(["canceled: checkout_open"]);
  expect(await moneyOf(shop, second.customerId)).toMatchObject({ charges: 0 });
});

test("a refunded run that crosses again charges nothing more", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, { runs: 3, mark: 3, packs: 5 });
  const runId = await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  await takeBack(db, runId);
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
});

test("the owner turns it off: the card goes, and a page that is still open keeps none", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, paymentMethodId } = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  await db.$transaction((it) => turnOffTopUp({ accountId, reason: "owner" }, it));
  const removed = async () =>
    (
      await db.$queryRaw<{ id: string }[]>`
        SELECT data ->> 'paymentMethodId' AS id FROM pgboss.job WHERE name = 'kept-cards'`
    ).map(({ id }) => id);
  expect(await removed()).toContain(paymentMethodId);
  await shop.cards.removeCard({ paymentMethodId });
  await shop.cards.removeCard({ paymentMethodId });
  expect(await settingsOf(ledger.db, accountId)).toMatchObject({
    paymentMethodId: null,
    offReason: "owner",
  });
  // Its own event again, as a copy that comes late.
  await shop.deliver(...(await shop.sent()));
  expect(await settingsOf(ledger.db, accountId)).toMatchObject({
    paymentMethodId: null,
    offReason: "owner",
  });
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  expect(await statusesOf(ledger.db, accountId)).toEqual([]);
  expect(await emailsOf(ledger.db, accountId)).toEqual([]);
});

test("reconcile finds a payment whose event never came, and records it once", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId } = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  const records = openBillingRecords("stripe", shop.env.payments);
  if (!records) throw new Error("Stripe has no key");
  const { prices } = shop.env.payments.stripe;
  const since = new Date(Date.now() - 60 * 60_000);
  const reconcileThem = async (apply: boolean) => {
    const found: string[] = [];
    await reconcile(
      {
        db,
        records,
        prices,
        since,
        userId: accountId,
        site: "localhost:3000",
        startedAt: new Date(),
      },
      {
        ...{ apply, checkouts: [], onProgress: () => undefined },
        onOutcome: ({ says, applied }) => void found.push(`${applied}: ${says}`),
      },
    );
    return found;
  };
  const says = `${PACK.credits} credits for ${written(PACK.amount)}: paid there, no order here`;
  expect(await reconcileThem(false)).toEqual([`false: ${says}`]);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["asked"]);
  expect(await reconcileThem(true)).toEqual([`true: ${says}`]);
  expect(await reconcileThem(true)).toEqual([]);
  await shop.deliver(...(await shop.sent()));
  expect(await statusesOf(ledger.db, accountId)).toEqual(["paid"]);
  expect(await getBalance(accountId, db)).toBe(COST + PACK.credits);
});
