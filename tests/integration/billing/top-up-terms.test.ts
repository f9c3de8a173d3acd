import { expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { agreeToTerms } from "~/models/billing/top-ups/terms.server";
import { getBalance } from "~/models/credits/balance.server";
import { PACK, PLAN } from "../../fixtures/sold";
import { applyEvents, setUpBillingEnv } from "../../helpers/billing";
import { createUser, openLedger } from "../../helpers/credits";
import { createRequest, press } from "../../helpers/payments";
import { silenceLog } from "../../helpers/silence-log";
import {
  COST,
  createOwner,
  doJobs,
  emailsOf,
  keepCardFor,
  moneyOf,
  openCardPage,
  openTopUpShop,
  settingsOf,
  spend,
  statusesOf,
  TOP_UP_ENV,
} from "../../helpers/top-ups";

setUpBillingEnv(TOP_UP_ENV);
silenceLog();
const ledger = openLedger();

const open = () => openTopUpShop(ledger.db);

test("terms that come with another card count once it is kept, and not before", async () => {
  const shop = await open();
  const { db } = ledger;
  const owner = await createOwner(shop, { runs: 4, mark: 3, packs: 5 });
  const { accountId, paymentMethodId } = owner;
  const before = await settingsOf(db, accountId);
  const keep = await openCardPage(shop, owner, 4 * COST);
  const { cardRequest: _request, cardTerms: _terms, ...during } = await settingsOf(db, accountId);
  expect(before).toMatchObject(during);
  // Below the wanted mark, and not below the agreed one.
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  expect(await statusesOf(db, accountId)).toEqual([]);
  await keep();
  const after = await settingsOf(db, accountId);
  expect(after).toMatchObject({ threshold: 4 * COST, monthlyAmount: BigInt(9 * PACK.amount) });
  expect(after).toMatchObject({ cardRequest: null, cardTerms: null });
  expect(after.paymentMethodId).not.toBe(paymentMethodId);
  expect(after.agreedAt?.getTime()).toBeGreaterThan(before.agreedAt?.getTime() ?? 0);
});

test("a card that is gone turns nothing off once another one is kept, and leaves the page open that keeps one", async () => {
  const shop = await open();
  const { db } = ledger;
  const owner = await createOwner(shop, { runs: 4, mark: 4, packs: 5 });
  const { accountId, paymentMethodId, customerId, terms } = owner;
  await spend(db, accountId);
  // The attempt is asked for with the first card. Before its call leaves, the owner keeps another one.
  await doJobs(db, accountId, {
    ...shop.cards,
    async charge(charge) {
      await keepCardFor(shop, accountId, terms);
      await shop.cards.removeCard({ paymentMethodId });
      return shop.cards.charge(charge);
    },
  });
  expect(await statusesOf(db, accountId)).toEqual(["canceled: card_removed"]);
  expect(await settingsOf(db, accountId)).toMatchObject({ offAt: null });
  expect(await emailsOf(db, accountId)).toEqual([]);
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
  await shop.deliver(...(await shop.sent()));
  // Now the kept card goes while a page is open.
  const { paymentMethodId: second } = await settingsOf(db, accountId);
  const keep = await openCardPage(shop, owner, 4 * COST);
  await shop.control("POST", `/kept-cards/${second}/detach`);
  while ((await getBalance(accountId, db)) >= 4 * COST) await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  expect(await settingsOf(db, accountId)).toMatchObject({ offReason: "card_removed" });
  await keep();
  expect(await settingsOf(db, accountId)).toMatchObject({ offAt: null, cardRequest: null });
});

/** Settings of an owner whose first page to keep a card is open. */
const NEVER_AGREED = {
  ...{ threshold: null, skuKey: null, monthlyAmount: null, paymentMethodId: null },
  ...{ agreedAmount: null, agreedCurrency: null, agreedCredits: null, agreedAt: null },
};

test.each([
  ["the first", true],
  ["a further", false],
])("%s page to keep a card that was opened before a dispute keeps none", async (_page, isFirst) => {
  const shop = await open();
  const { db } = ledger;
  const owner = await createOwner(shop, { runs: 4, mark: 4, packs: 5 });
  const { accountId } = owner;
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  await shop.deliver(...(await shop.sent()));
  const keep = await openCardPage(shop, owner, 2 * COST);
  const topUp = await db.topUp.findFirstOrThrow({ where: { accountId } });
  if (isFirst) await db.accountSettings.update({ where: { accountId }, data: NEVER_AGREED });
  await shop.control("POST", `/payments/${topUp.providerPaymentId}/dispute`, {});
  await shop.deliver(...(await shop.sent()));
  await keep();
  const { paymentMethodId } = owner;
  expect(await settingsOf(db, accountId)).toMatchObject({
    ...{ offReason: "dispute", cardRequest: null, cardTerms: null },
    ...(isFirst ? NEVER_AGREED : { threshold: 4 * COST, paymentMethodId }),
  });
});

test("what the pack brings is agreed to, too, and what was agreed to is granted", async () => {
  const shop = await open();
  const { db } = ledger;
  const first = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  await db.accountSettings.update({
    where: { accountId: first.accountId },
    data: { agreedCredits: PACK.credits + 1 },
  });
  await spend(db, first.accountId);
  await doJobs(db, first.accountId, shop.cards);
  expect(await settingsOf(db, first.accountId)).toMatchObject({ offReason: "price" });
  expect(await moneyOf(shop, first.customerId)).toMatchObject({ charges: 0 });

  const { accountId } = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  const { id } = await db.topUp.findFirstOrThrow({ where: { accountId } });
  // The catalog had another pack when it was asked for.
  const credits = PACK.credits + 7;
  const skuKey = "a_pack_of_the_past";
  await db.topUp.update({ where: { id }, data: { credits, skuKey } });
  await applyEvents(db, {
    kind: "top_up_paid",
    ...{ topUpId: id, paymentId: `pi_${id}`, customerId: "cus_1" },
    ...{ amount: PACK.amount, currency: CURRENCY },
    metadata: { userId: accountId, site: null, skuKey, planKey: null, period: null },
  });
  expect(await getBalance(accountId, db)).toBe(COST + credits);
});

test("who agrees for the kept card ends the page that would keep another one", async () => {
  const shop = await open();
  const { db } = ledger;
  const owner = await createOwner(shop, { runs: 4, mark: 4, packs: 5 });
  const { accountId, paymentMethodId, terms } = owner;
  const keep = await openCardPage(shop, owner, 2 * COST);
  const chosen = { ...{ accountId, skuKey: PACK.skuKey }, ...terms, threshold: 3 * COST };
  expect(await db.$transaction((it) => agreeToTerms(chosen, it))).toBe(true);
  await keep();
  expect(await settingsOf(db, accountId)).toMatchObject({ paymentMethodId, threshold: 3 * COST });
  const nobody = { ...chosen, accountId: await createUser(db) };
  expect(await db.$transaction((it) => agreeToTerms(nobody, it))).toBe(false);
});

test("a card that pays the plan, too, stays at the provider", async () => {
  const shop = await open();
  for (const pays of ["customer", "subscription", null]) {
    const owner = await createOwner(shop, { runs: 1, mark: 1, packs: 1 });
    const { customerId, paymentMethodId } = owner;
    const { url } = await shop.stripe.createSubscriptionCheckout({
      ...createRequest({ planKey: PLAN.planKey, period: "month" as const }),
      customerId,
    });
    await press(url, { intent: "pay" });
    await shop.control("PUT", `/kept-cards/${paymentMethodId}`, { pays });
    await shop.cards.removeCard({ paymentMethodId });
    const card = { ...{ customerId, paymentMethodId }, timeoutMs: 30_000 };
    expect((await shop.cards.findCard(card)) !== null, String(pays)).toBe(pays !== null);
  }
});
