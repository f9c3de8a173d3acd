import { expect, onTestFinished, test, vi } from "vitest";
import { turnOffTopUp } from "~/models/billing/top-ups/turn-off.server";
import type { Charge, KeptCards } from "~/services/payments/kept-cards";
import { PACK } from "../../fixtures/sold";
import { setUpBillingEnv } from "../../helpers/billing";
import { openLedger } from "../../helpers/credits";
import { interject, untilWaiting } from "../../helpers/held-transaction";
import { silenceLog } from "../../helpers/silence-log";
import {
  createOwner,
  doJobs,
  emailsOf,
  keepCardFor,
  moneyOf,
  openTopUpShop,
  settleLater,
  spend,
  statusesOf,
  TOP_UP_ENV,
  type TopUpShop,
  takeBack,
} from "../../helpers/top-ups";

// A process that stands still at the worst moment, for as long as it likes, and what has happened when it goes on.
setUpBillingEnv(TOP_UP_ENV);
silenceLog();
const ledger = openLedger();

const OWNER = { runs: 3, mark: 3, packs: 5 };

/** An owner whose balance is below the mark, with the run that brought it there. */
async function createCrossing(shop: TopUpShop) {
  const owner = await createOwner(shop, OWNER);
  return { ...owner, runId: await spend(ledger.db, owner.accountId) };
}

type Crossing = Awaited<ReturnType<typeof createCrossing>>;

/** Maintenance gives the attempt up, because the balance is enough again. Then another crossing is charged. */
async function passBy(shop: TopUpShop, { accountId, runId }: Crossing): Promise<void> {
  const { db } = ledger;
  await takeBack(db, runId);
  await settleLater(shop, accountId, 16);
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
}

/** Does the jobs with a call that leaves only after all of `meanwhile`. */
async function chargeLate(
  shop: TopUpShop,
  { accountId }: Crossing,
  meanwhile: (charge: Charge) => Promise<Charge>,
): Promise<void> {
  let isFirst = true;
  const cards: KeptCards = {
    ...shop.cards,
    async charge(charge) {
      if (!isFirst) return shop.cards.charge(charge);
      isFirst = false;
      return shop.cards.charge(await meanwhile(charge));
    },
  };
  await doJobs(ledger.db, accountId, cards);
}

test("a decision to charge that others have gone past since is none any more", async () => {
  const shop = await openTopUpShop(ledger.db);
  const crossing = await createCrossing(shop);
  const { accountId, customerId } = crossing;
  const charge = vi.fn(shop.cards.charge);
  await doJobs(ledger.db, accountId, {
    ...shop.cards,
    charge,
    async findPrice(skuKey) {
      const price = await shop.cards.findPrice(skuKey);
      // Between the transaction that decides and the look before the call.
      interject("COMMIT", () => passBy(shop, crossing));
      return price;
    },
  });
  expect(charge).not.toHaveBeenCalled();
  expect(await statusesOf(ledger.db, accountId)).toEqual(["canceled: never_charged", "asked"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1, taken: PACK.amount });
});

test.each([
  [
    "turns it off",
    ({ db }: TopUpShop, { accountId }: Crossing) =>
      db.$transaction((it) => turnOffTopUp({ accountId, reason: "owner" }, it)),
  ],
  [
    "keeps another card",
    (shop: TopUpShop, { accountId, terms }: Crossing) => keepCardFor(shop, accountId, terms),
  ],
] as const)(
  "an owner who %s between the decision and the call isn't charged",
  async (_what, change) => {
    const shop = await openTopUpShop(ledger.db);
    const crossing = await createCrossing(shop);
    const { accountId, customerId } = crossing;
    const charge = vi.fn(shop.cards.charge);
    await doJobs(ledger.db, accountId, {
      ...shop.cards,
      charge,
      async findPrice(skuKey) {
        const price = await shop.cards.findPrice(skuKey);
        interject("COMMIT", () => change(shop, crossing));
        return price;
      },
    });
    expect(charge).not.toHaveBeenCalled();
    await settleLater(shop, accountId, 16);
    expect(await statusesOf(ledger.db, accountId)).toEqual(["canceled: never_charged"]);
    expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 0 });
  },
);

test("a call that stands still while another one asks is the same payment", async () => {
  const shop = await openTopUpShop(ledger.db);
  const crossing = await createCrossing(shop);
  const { accountId, customerId } = crossing;
  await chargeLate(shop, crossing, async (charge) => {
    await settleLater(shop, accountId);
    expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
    return charge;
  });
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1, taken: PACK.amount });
  expect(await statusesOf(ledger.db, accountId)).toEqual(["asked"]);
});

test("a call that can't leave in time doesn't leave", async () => {
  const shop = await openTopUpShop(ledger.db);
  const crossing = await createCrossing(shop);
  await chargeLate(shop, crossing, async (charge) => {
    const later = charge.leaveBy + 1;
    const clock = vi.spyOn(Date, "now").mockReturnValueOnce(later);
    onTestFinished(() => clock.mockRestore());
    return charge;
  });
  const { accountId, customerId } = crossing;
  expect(await statusesOf(ledger.db, accountId)).toEqual(["unknown"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 0 });
  await settleLater(shop, accountId);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
});

test("a call that leaves after its attempt was given up takes nothing, however late", async () => {
  const shop = await openTopUpShop(ledger.db);
  const crossing = await createCrossing(shop);
  const { accountId, customerId } = crossing;
  await chargeLate(shop, crossing, async (charge) => {
    await passBy(shop, crossing);
    expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
    return { ...charge, leaveBy: Number.POSITIVE_INFINITY };
  });
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1, taken: PACK.amount });
  expect(await statusesOf(ledger.db, accountId)).toEqual(["canceled: never_charged", "asked"]);
  await shop.deliver(...(await shop.sent()));
  expect(await statusesOf(ledger.db, accountId)).toEqual(["canceled: never_charged", "paid"]);
});

test("a call that comes in the moment in which its attempt is given up is found", async () => {
  const shop = await openTopUpShop(ledger.db);
  const crossing = await createCrossing(shop);
  const { accountId, customerId, runId } = crossing;
  const late: Charge[] = [];
  await doJobs(ledger.db, accountId, {
    ...shop.cards,
    async charge(charge) {
      late.push(charge);
      throw new Error("stands still");
    },
  });
  await takeBack(ledger.db, runId);
  const cards: KeptCards = {
    ...shop.cards,
    async forbidCharge(request) {
      for (const charge of late) await shop.cards.charge(charge);
      return shop.cards.forbidCharge(request);
    },
  };
  await settleLater({ ...shop, cards }, accountId, 16);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["asked"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
});

test("where a request came before that the provider has no payment of yet, it has its time", async () => {
  const shop = await openTopUpShop(ledger.db);
  const { accountId, customerId, runId } = await createCrossing(shop);
  await shop.control("PUT", "/charges/answers", { lost: "before" });
  await doJobs(ledger.db, accountId, shop.cards);
  await shop.control("PUT", "/charges/answers", {});
  await takeBack(ledger.db, runId);
  const used = { ...shop, cards: { ...shop.cards, forbidCharge: async () => false } };
  const reached: string[] = [];
  for (const minutes of [16, 10, 6]) {
    await settleLater(used, accountId, minutes);
    reached.push(...(await statusesOf(ledger.db, accountId)));
  }
  expect(reached).toEqual(["unknown", "unknown", "canceled: never_charged"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 0 });
});

test("a payment is found although the clock that says when it was asked for is ahead of the provider's", async () => {
  const shop = await openTopUpShop(ledger.db);
  const { accountId, customerId } = await createCrossing(shop);
  await shop.control("PUT", "/charges/answers", { lost: "after" });
  await doJobs(ledger.db, accountId, shop.cards);
  const { id: topUpId } = await ledger.db.topUp.findFirstOrThrow({ where: { accountId } });
  const since = new Date(Date.now() + 60 * 60_000);
  expect(
    await shop.cards.findCharge({ topUpId, customerId, paymentId: null, since }),
  ).toMatchObject({ status: "succeeded" });
});

test("a spend in the moment in which an attempt gives its crossing back goes through", async () => {
  const shop = await openTopUpShop(ledger.db);
  const { accountId } = await createCrossing(shop);
  await shop.control("PUT", "/charges/answers", { lost: "before" });
  await doJobs(ledger.db, accountId, shop.cards);
  await shop.control("PUT", "/charges/answers", {});
  const { crossingId } = await ledger.db.topUp.findFirstOrThrow({ where: { accountId } });
  const spends: Promise<unknown>[] = [];
  // The statement that removes it.
  interject(crossingId, async () => {
    spends.push(spend(ledger.db, accountId));
    await untilWaiting(ledger.db);
  });
  await settleLater(shop, accountId, 20 * 60 + 1);
  await Promise.all(spends);
  expect(spends).toHaveLength(1);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["canceled: never_charged"]);
});

test.each([{ lost: "before" }, { isForbidden: true }])(
  "an attempt stays open while nobody can say if its charge was used up: %j",
  async (answers) => {
    const shop = await openTopUpShop(ledger.db);
    const { accountId, runId } = await createCrossing(shop);
    await shop.control("PUT", "/charges/answers", { lost: "before" });
    await doJobs(ledger.db, accountId, shop.cards);
    await takeBack(ledger.db, runId);
    await shop.control("PUT", "/charges/answers", answers);
    await settleLater(shop, accountId, 16);
    expect(await statusesOf(ledger.db, accountId)).toEqual(["unknown"]);
    await shop.control("PUT", "/charges/answers", {});
    await settleLater(shop, accountId, 1);
    expect(await statusesOf(ledger.db, accountId)).toEqual(["canceled: never_charged"]);
  },
);

test("a charge that the secret key may not repeat is unknown, not refused: the first may have been made", async () => {
  const shop = await openTopUpShop(ledger.db);
  const { accountId, customerId } = await createCrossing(shop);
  await shop.control("PUT", "/charges/answers", { lost: "after" });
  await doJobs(ledger.db, accountId, {
    ...shop.cards,
    async charge(charge) {
      await expect(shop.cards.charge(charge)).rejects.toThrow(
        expect.objectContaining({ status: 502 }),
      );
      await shop.control("PUT", "/charges/answers", { isForbidden: true });
      return shop.cards.charge(charge);
    },
  });
  expect(await statusesOf(ledger.db, accountId)).toEqual(["unknown"]);
  await settleLater(shop, accountId, 16);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["asked"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
});

test.each(["authentication_required", "requires_action"])(
  "an owner whose bank wants them (%s) hears of it, although the process dies once the payment is cancelled",
  async (behavior) => {
    const shop = await openTopUpShop(ledger.db);
    const owner = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
    const { accountId, customerId, paymentMethodId } = owner;
    await shop.control("PUT", `/kept-cards/${paymentMethodId}`, { behavior });
    await spend(ledger.db, accountId);
    await doJobs(ledger.db, accountId, {
      ...shop.cards,
      async cancelCharge(request) {
        await shop.cards.cancelCharge(request);
        throw new Error("killed");
      },
    });
    expect(await emailsOf(ledger.db, accountId)).toEqual([]);
    await settleLater(shop, accountId);
    await settleLater(shop, accountId);
    expect(await statusesOf(ledger.db, accountId)).toEqual(["canceled: authentication_required"]);
    expect(await emailsOf(ledger.db, accountId)).toEqual(["top_up_action"]);
    expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 0 });
  },
);
