import { expect, test } from "vitest";
import { reconcile } from "~/models/billing/reconciliation/run-reconciliation.server";
import { hasOpenTopUp } from "~/models/billing/top-ups/open-top-ups.server";
import { agreeToTerms } from "~/models/billing/top-ups/terms.server";
import { turnOffTopUp } from "~/models/billing/top-ups/turn-off.server";
import { getBalance } from "~/models/credits/balance.server";
import { openBillingRecords } from "~/services/payments/open-billing-records.server";
import { PACK, priceVariable } from "../../fixtures/sold";
import { applyEvents, newSubscription, setUpBillingEnv } from "../../helpers/billing";
import { createLot, DAY, inFuture, openLedger } from "../../helpers/credits";
import { holdUpdate } from "../../helpers/hold-update";
import { silenceLog } from "../../helpers/silence-log";
import {
  COST,
  changeEnv,
  createOwner,
  doJobs,
  emailsOf,
  moneyOf,
  openTopUpShop,
  settingsOf,
  settleLater,
  spend,
  statusesOf,
  TOP_UP_ENV,
  type TopUpShop,
  takeBack,
} from "../../helpers/top-ups";

setUpBillingEnv(TOP_UP_ENV);
silenceLog();
const ledger = openLedger();

const open = () => openTopUpShop(ledger.db);
const OWNER = { runs: 3, mark: 3, packs: 5 };

const lose = (shop: TopUpShop, lost: "before" | "after" | "no") =>
  shop.control("PUT", "/charges/answers", lost === "no" ? {} : { lost });

test("a month that comes due before the call is granted first, and no card is charged", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, OWNER);
  const plan = newSubscription(accountId);
  const [start, end] = [inFuture(-DAY), inFuture(29 * DAY)];
  await spend(db, accountId);
  await doJobs(db, accountId, {
    ...shop.cards,
    findPrice: () => Promise.reject(new Error("the provider is away")),
  });
  expect(await statusesOf(db, accountId)).toEqual(["claimed"]);
  await applyEvents(
    db,
    plan.changed(start, end, { startedAt: inFuture(-31 * DAY) }),
    plan.paid(start, end),
  );
  expect(await getBalance(accountId, db)).toBe(2 * COST);
  await doJobs(db, accountId, shop.cards);
  expect(await statusesOf(db, accountId)).toEqual(["canceled: enough_credits"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ taken: 0 });
});

test("an attempt that came to enough credits leaves the mark armed", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, OWNER);
  const runId = await spend(db, accountId);
  // The run fails between the claim and the call.
  await doJobs(db, accountId, {
    ...shop.cards,
    async findPrice(skuKey) {
      await takeBack(db, runId);
      return shop.cards.findPrice(skuKey);
    },
  });
  expect(await statusesOf(db, accountId)).toEqual(["canceled: enough_credits"]);
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  expect(await statusesOf(db, accountId)).toEqual(["canceled: enough_credits", "asked"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
});

test("who turns it off while an attempt is being asked for waits for it, and what comes later is never asked for", async () => {
  const shop = await open();
  const { db, url } = ledger;
  const { accountId, customerId } = await createOwner(shop, OWNER);
  await spend(db, accountId);
  const held = await holdUpdate(url, "asked_at", "top_ups");
  const jobs = doJobs(db, accountId, shop.cards);
  await held.reached();
  let isOff = false;
  const off = db
    .$transaction((it) => turnOffTopUp({ accountId, reason: "owner" }, it))
    .then(() => {
      isOff = true;
    });
  await expect
    .poll(
      () => db.$queryRaw`
        SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event <> 'advisory'`,
    )
    .toEqual([{ waiting: 1 }]);
  expect(isOff).toBe(false);
  await held.release();
  await Promise.all([jobs, off]);
  // Whichever comes first: the call that was decided on, or the owner's word.
  expect((await moneyOf(shop, customerId)).charges).toBeLessThanOrEqual(1);
  await settleLater(shop, accountId);
  expect(await statusesOf(db, accountId)).toEqual(["asked"]);
  expect(await settingsOf(db, accountId)).toMatchObject({ offReason: "owner" });
});

test("an attempt that was never charged makes room for another one, and only if the balance is still below", async () => {
  const shop = await open();
  const { db } = ledger;
  for (const isBelow of [true, false]) {
    const { accountId, customerId } = await createOwner(shop, OWNER);
    const runId = await spend(db, accountId);
    await lose(shop, "before");
    await doJobs(db, accountId, shop.cards);
    await lose(shop, "no");
    if (!isBelow) await takeBack(db, runId);
    await settleLater(shop, accountId, 20 * 60 + 1);
    await doJobs(db, accountId, shop.cards);
    expect((await statusesOf(db, accountId))[0]).toBe("canceled: never_charged");
    expect(await statusesOf(db, accountId)).toHaveLength(isBelow ? 2 : 1);
    expect(await moneyOf(shop, customerId)).toMatchObject({ charges: isBelow ? 1 : 0 });
  }
});

test("an attempt that was asked for again a moment ago isn't given up", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId } = await createOwner(shop, OWNER);
  const runId = await spend(db, accountId);
  await lose(shop, "before");
  await doJobs(db, accountId, shop.cards);
  await settleLater(shop, accountId, 60);
  await takeBack(db, runId);
  await settleLater(shop, accountId);
  expect(await statusesOf(db, accountId)).toEqual(["unknown"]);
});

test("a crossing that comes while an attempt is open has its own, once that one is over", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, OWNER);
  await spend(db, accountId);
  await lose(shop, "before");
  await doJobs(db, accountId, shop.cards);
  await createLot(db, accountId, COST);
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  expect(await statusesOf(db, accountId)).toEqual(["unknown"]);
  await lose(shop, "no");
  await settleLater(shop, accountId, 20 * 60 + 1);
  await doJobs(db, accountId, shop.cards);
  expect(await statusesOf(db, accountId)).toEqual(["canceled: never_charged", "asked"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
});

test("a pack that isn't sold any more ends the attempt, and turns it off with an email", async () => {
  const shop = await open();
  const { db } = ledger;
  const sell = (value: string) => changeEnv({ [priceVariable(PACK.skuKey)]: value });
  const ends: Record<string, (accountId: string) => unknown> = {
    "its price is unset": () => sell(""),
    "its price says none": () => sell("none"),
    "the catalog lost it": (accountId) =>
      db.accountSettings.update({ where: { accountId }, data: { skuKey: "a_pack_of_the_past" } }),
  };
  for (const [name, end] of Object.entries(ends)) {
    for (const isAsked of [false, true]) {
      sell("price_of_the_pack");
      const { accountId, customerId } = await createOwner(shop, OWNER);
      await lose(shop, "before");
      if (isAsked) {
        await spend(db, accountId);
        await doJobs(db, accountId, shop.cards);
      }
      await end(accountId);
      if (!isAsked) {
        await spend(db, accountId);
        await doJobs(db, accountId, shop.cards);
      }
      await lose(shop, "no");
      await settleLater(shop, accountId, 16);
      await doJobs(db, accountId, shop.cards);
      expect(await hasOpenTopUp(accountId, db), name).toBe(false);
      expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 0 });
      expect(await settingsOf(db, accountId), name).toMatchObject({ offReason: "not_sold" });
      expect(await emailsOf(db, accountId)).toEqual(["top_up_off not_sold"]);
    }
  }
});

test("attempts from before top-up was switched off are ended by maintenance and settled by reconcile", async () => {
  const shop = await open();
  const { db } = ledger;
  const owners = [];
  for (const lost of ["no", "before"] as const) {
    const owner = await createOwner(shop, OWNER);
    await spend(db, owner.accountId);
    await lose(shop, lost);
    await doJobs(db, owner.accountId, shop.cards);
    owners.push(owner);
  }
  await lose(shop, "no");
  const claimed = await createOwner(shop, OWNER);
  await spend(db, claimed.accountId);
  const dies = async () => {
    throw new Error("killed");
  };
  await doJobs(db, claimed.accountId, { ...shop.cards, findPrice: dies });
  expect(await statusesOf(db, claimed.accountId)).toEqual(["claimed"]);
  changeEnv({ PROVIDER_A_TOP_UP: "false" });
  const [charged, uncharged] = owners.map(({ accountId }) => accountId);
  if (!charged || !uncharged) throw new Error("two owners");
  for (const id of [charged, uncharged, claimed.accountId]) await settleLater(shop, id, 16);
  expect(await statusesOf(db, claimed.accountId)).toEqual(["canceled: not_offered"]);
  expect(await statusesOf(db, uncharged)).toEqual(["canceled: never_charged"]);
  expect(await statusesOf(db, charged)).toEqual(["asked"]);
  const payments = {
    ...shop.env.payments,
    stripe: { ...shop.env.payments.stripe, topUp: false },
  };
  const records = openBillingRecords("stripe", payments);
  if (!records) throw new Error("Stripe has no key");
  // An attempt that is open is found although it is older than what is compared.
  await reconcile(
    {
      ...{ db, records, prices: payments.stripe.prices, userId: charged, site: "localhost:3000" },
      ...{ since: new Date(), startedAt: new Date() },
    },
    { apply: true, checkouts: [], onProgress: () => undefined, onOutcome: () => undefined },
  );
  expect(await statusesOf(db, charged)).toEqual(["paid"]);
  expect(await getBalance(charged, db)).toBe(2 * COST + PACK.credits);
});

test("an inquiry that becomes a dispute turns off what was agreed to meanwhile; once it is won, the owner can go on", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId, terms } = await createOwner(shop, OWNER);
  const skuKey = PACK.skuKey;
  const agree = () =>
    db.$transaction((it) => agreeToTerms({ ...{ accountId, skuKey }, ...terms }, it));
  const crossAgain = async () => {
    while ((await getBalance(accountId, db)) >= terms.threshold) await spend(db, accountId);
    await doJobs(db, accountId, shop.cards);
  };
  const told = async (told: Promise<{ body: unknown }>) => {
    const { body } = await told;
    await shop.deliver(...(await shop.sent()));
    return (body as { id: string }).id;
  };
  await crossAgain();
  await shop.deliver(...(await shop.sent()));
  const { providerPaymentId } = await db.topUp.findFirstOrThrow({ where: { accountId } });
  const status = "warning_needs_response";
  const dispute = await told(
    shop.control("POST", `/payments/${providerPaymentId}/dispute`, { status }),
  );
  await agree();
  await told(shop.control("POST", `/disputes/${dispute}/status`, { status: "needs_response" }));
  expect(await settingsOf(db, accountId)).toMatchObject({ offReason: "dispute" });
  expect(await emailsOf(db, accountId)).toEqual(["top_up_off dispute"]);
  await told(shop.control("POST", `/disputes/${dispute}/status`, { status: "won" }));
  expect(await settingsOf(db, accountId)).toMatchObject({ offReason: "dispute" });
  await agree();
  await createLot(db, accountId, COST);
  await crossAgain();
  expect(await statusesOf(db, accountId)).toEqual(["paid", "asked"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 2 });
});
