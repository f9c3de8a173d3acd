import { expect, test } from "vitest";
import { deleteAccount } from "~/models/accounts/deletion.server";
import { startCardPage } from "~/models/billing/top-ups/card-page.server";
import { sumOfMonth } from "~/models/billing/top-ups/month.server";
import { getTopUpSettings } from "~/models/billing/top-ups/settings.server";
import { requestCard } from "~/models/billing/top-ups/terms.server";
import { getBalance } from "~/models/credits/balance.server";
import { PACK } from "../../fixtures/sold";
import { setUpBillingEnv } from "../../helpers/billing";
import { createLot, openLedger } from "../../helpers/credits";
import { holdTransaction, untilWaiting } from "../../helpers/held-transaction";
import { silenceLog } from "../../helpers/silence-log";
import {
  COST,
  createOwner,
  doJobs,
  keepCardFor,
  moneyOf,
  openCardPage,
  openTopUpShop,
  requestCardFor,
  settingsOf,
  spend,
  statusesOf,
  TOP_UP_ENV,
} from "../../helpers/top-ups";

// An owner's agreement, where a second version, a deletion or another agreement comes in between.
setUpBillingEnv(TOP_UP_ENV);
silenceLog();
const ledger = openLedger();

const open = () => openTopUpShop(ledger.db);

test.each([
  ["names a page and leaves another's terms beside it", true],
  ["doesn't say whose the terms are", false],
])(
  "where the version before this one %s, the card is kept for its own page's terms",
  async (_what, isStale) => {
    const shop = await open();
    const { db } = ledger;
    const owner = await createOwner(shop, { runs: 4, mark: 3, packs: 5 });
    const { accountId, customerId, terms } = owner;
    const keep = await openCardPage(shop, owner, 2 * COST);
    if (isStale) {
      // The terms of another page, whose place this one takes by its id alone.
      const { cardRequest } = await settingsOf(db, accountId);
      const others = { ...terms, threshold: 9 * COST };
      await requestCardFor(db, { ...{ accountId, customerId, skuKey: PACK.skuKey }, ...others });
      await db.accountSettings.update({ where: { accountId }, data: { cardRequest } });
    } else {
      await db.$executeRaw`
      UPDATE account_settings SET card_terms = card_terms - 'requestId' WHERE account_id = ${accountId}::uuid`;
    }
    const wanted = isStale ? null : 2 * COST;
    const settings = await getTopUpSettings(accountId, db);
    expect(settings.wanted?.threshold ?? null).toBe(wanted);
    await keep();
    const { threshold, cardRequest } = await settingsOf(db, accountId);
    // That version has written its page's terms over those that count.
    expect({ threshold, cardRequest }).toEqual({
      threshold: wanted ?? terms.threshold,
      cardRequest: null,
    });
  },
);

test.each([true, false])(
  "a page that is asked for while the account is deleted keeps nothing (deleted first: %s)",
  async (isDeletedFirst) => {
    const shop = await open();
    const { db } = ledger;
    const { accountId, customerId } = await createOwner(shop, { runs: 1, mark: 1, packs: 1 });
    const terms = { skuKey: PACK.skuKey, threshold: COST, monthlyAmount: 9 * PACK.amount };
    const acts = [
      () => deleteAccount({ userId: accountId, checkedHash: null, endingSubscriptions: [] }, db),
      () => db.$transaction((it) => requestCard({ accountId, customerId, ...terms }, it)),
    ];
    const held = await holdTransaction(
      db,
      (it) => it.$queryRaw`SELECT 1 FROM users WHERE id = ${accountId}::uuid FOR UPDATE`,
    );
    const begun: Promise<unknown>[] = [];
    for (const act of isDeletedFirst ? acts : acts.toReversed()) {
      begun.push(act());
      await untilWaiting(db, begun.length);
    }
    await held.commit();
    await Promise.all(begun);
    expect(await db.accountSettings.count({ where: { accountId } })).toBe(0);
    const user = { id: accountId, email: "owner@example.com" };
    const page = { user, locale: "en", terms: { accountId, ...terms } };
    await expect(startCardPage(page, shop.cards, db)).rejects.toMatchObject({
      code: "unauthenticated",
    });
    expect(await db.accountSettings.count({ where: { accountId } })).toBe(0);
  },
);

test("an attempt on terms that its owner has replaced is followed by one on the new terms", async () => {
  const shop = await open();
  const { db } = ledger;
  const owner = await createOwner(shop, { runs: 3, mark: 3, packs: 5 });
  const { accountId, customerId, terms } = owner;
  await spend(db, accountId);
  // Between the claim and the call the owner keeps another card. No spend follows.
  await doJobs(db, accountId, {
    ...shop.cards,
    async findPrice(skuKey) {
      const { paymentMethodId } = await settingsOf(db, accountId);
      if (paymentMethodId === owner.paymentMethodId) await keepCardFor(shop, accountId, terms);
      return shop.cards.findPrice(skuKey);
    },
  });
  expect(await statusesOf(db, accountId)).toEqual(["canceled: terms_changed", "asked"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
});

test("amounts of another currency don't count against the month's maximum", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId, terms } = await createOwner(shop, { runs: 3, mark: 3, packs: 1 });
  const crossAgain = async () => {
    await createLot(db, accountId, COST);
    while ((await getBalance(accountId, db)) >= terms.threshold) await spend(db, accountId);
    await doJobs(db, accountId, shop.cards);
    await shop.deliver(...(await shop.sent()));
  };
  await crossAgain();
  expect((await sumOfMonth(accountId, db)).spent).toBe(PACK.amount);
  // The shop had another currency when that was agreed to.
  await db.topUp.updateMany({ where: { accountId }, data: { currency: "sek" } });
  expect((await sumOfMonth(accountId, db)).spent).toBe(0);
  await crossAgain();
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 2 });
  await crossAgain();
  expect((await statusesOf(db, accountId)).at(-1)).toBe("canceled: monthly_amount");
  expect((await sumOfMonth(accountId, db)).spent).toBe(PACK.amount);
});
