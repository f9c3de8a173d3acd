import { afterEach, expect, test } from "vitest";
import { turnOffTopUp } from "~/models/billing/top-ups/turn-off.server";
import { getBalance } from "~/models/credits/balance.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import { PACK } from "../../fixtures/sold";
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
  spend,
  statusesOf,
  TOP_UP_ENV,
} from "../../helpers/top-ups";

// Refusals of a top-up: by the bank, the price, the operator and the owner.
setUpBillingEnv(TOP_UP_ENV);
silenceLog();
const ledger = openLedger();

afterEach(async () => {
  const { faults } = await auditLedger({}, ledger.db);
  expect(faults).toBe(0);
});

const open = () => openTopUpShop(ledger.db);

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

test("why a bank refuses a card that was stolen is kept from whoever holds it", async () => {
  const shop = await open();
  const { db } = ledger;
  const owner = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  const { accountId, paymentMethodId } = owner;
  await shop.control("PUT", `/kept-cards/${paymentMethodId}`, { behavior: "stolen_card" });
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  expect(await statusesOf(db, accountId)).toEqual(["declined: generic_decline"]);
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
