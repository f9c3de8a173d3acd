import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { agreeToTerms } from "~/models/billing/top-ups/terms.server";
import { getBalance } from "~/models/credits/balance.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { KeptCards } from "~/services/payments/kept-cards";
import { PACK } from "../../fixtures/sold";
import { setUpBillingEnv } from "../../helpers/billing";
import { createLot, openLedger } from "../../helpers/credits";
import { byRun, holdsFor, LAW_TIMEOUT } from "../../helpers/runs";
import { silenceLog } from "../../helpers/silence-log";
import {
  COST,
  createOwner,
  doJobs,
  keepCardFor,
  moneyOf,
  moneyOfTopUps,
  openTopUpShop,
  requestCardFor,
  settleLater,
  spend,
  TOP_UP_ENV,
  takeBack,
} from "../../helpers/top-ups";
import type { ReceivedWebhook } from "../../helpers/webhook-receiver";

setUpBillingEnv(TOP_UP_ENV);
silenceLog();
const ledger = openLedger();

/** A process dies at each of these calls: before it leaves, or before anybody reads what came of it. */
const DEATHS = ["findPrice", "charge", "charged", "findCharge", "cancelCharge"] as const;

const STEPS = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant({ do: "spend" } as const) },
    { weight: 4, arbitrary: fc.constant({ do: "a pack's whole way" } as const) },
    { weight: 5, arbitrary: fc.constant({ do: "jobs" } as const) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("deliver" as const), seed: fc.nat(99) }) },
    { weight: 1, arbitrary: fc.constant({ do: "refund" } as const) },
    { weight: 1, arbitrary: fc.constant({ do: "buy" } as const) },
    { weight: 1, arbitrary: fc.constant({ do: "settle" } as const) },
    { weight: 1, arbitrary: fc.constant({ do: "another card" } as const) },
    { weight: 1, arbitrary: fc.constant({ do: "a page that is left" } as const) },
    { weight: 1, arbitrary: fc.constant({ do: "the card goes" } as const) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("a slow call" as const),
        minutes: fc.constantFrom(3, 16),
        isBack: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ do: "other terms" } as const) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("die" as const), at: fc.constantFrom(...DEATHS) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("answers" as const),
        lost: fc.constantFrom("no", "no", "before", "after"),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("card" as const),
        behavior: fc.constantFrom(
          ...(["good", "good", "good"] as const),
          ...(["insufficient_funds", "authentication_required", "requires_action"] as const),
        ),
      }),
    },
  ),
  { minLength: 8, maxLength: 24 },
);

/** With few packs a month, so that its maximum is reached. */
const HISTORIES = fc.record({ packs: fc.integer({ min: 1, max: 3 }), steps: STEPS });

/** Cards whose caller dies at one call. */
function dyingAt(cards: KeptCards, death: (typeof DEATHS)[number] | null): KeptCards {
  if (death === null) return cards;
  const die = () => {
    throw new Error("killed");
  };
  if (death !== "charged") return { ...cards, [death]: async () => die() };
  return { ...cards, charge: async (charge) => cards.charge(charge).then(die) };
}

const LOOKED_AT_AGAIN = ["enough_credits", "never_charged", "terms_changed"];

/** The attempt that a webhook says was paid; null for any other. */
function paidOf({ type, rawBody }: ReceivedWebhook): string | null {
  if (type !== "payment_intent.succeeded") return null;
  const read = z.object({
    data: z.object({ object: z.object({ metadata: z.object({ top_up: z.string() }) }) }),
  });
  return read.parse(JSON.parse(new TextDecoder().decode(rawBody))).data.object.metadata.top_up;
}

test(
  "in any history a crossing is charged once and granted once, within the month's maximum",
  LAW_TIMEOUT,
  async () => {
    const shop = await openTopUpShop(ledger.db);
    const { db } = shop;
    let charged = 0;
    await holdsFor(HISTORIES, { runs: byRun({ few: 12, many: 150 }) }, async (history) => {
      const { packs, steps } = history;
      await shop.control("PUT", "/charges/answers", {});
      const { accountId, terms, ...kept } = await createOwner(shop, { runs: 5, mark: 5, packs });
      let { customerId, paymentMethodId } = kept;
      let { threshold } = terms;
      const gone = new Set<string>();
      const running: string[] = [];
      let agreements = 0;
      let death: (typeof DEATHS)[number] | null = null;
      const from = (await shop.sent()).length;
      const pending = async () => (await shop.sent()).slice(from);
      const money = async () => (await moneyOf(shop, customerId)).charges;
      const toldPaid = new Set<string>();
      const deliver = async (...webhooks: ReceivedWebhook[]) => {
        for (const webhook of webhooks) {
          const paid = paidOf(webhook);
          if (paid) toldPaid.add(paid);
        }
        await shop.deliver(...webhooks);
      };

      for (const step of steps) {
        if (step.do === "spend") {
          if ((await getBalance(accountId, db)) >= COST) running.push(await spend(db, accountId));
        } else if (step.do === "a pack's whole way") {
          while ((await getBalance(accountId, db)) >= threshold)
            running.push(await spend(db, accountId));
          await doJobs(db, accountId, shop.cards);
          await deliver(...(await pending()));
        } else if (step.do === "refund") {
          const runId = running.pop();
          if (runId) await takeBack(db, runId);
        } else if (step.do === "buy") {
          await createLot(db, accountId, 3 * COST);
        } else if (step.do === "jobs") {
          // Two processes have the same jobs, and one may die.
          await Promise.all([
            doJobs(db, accountId, dyingAt(shop.cards, death)),
            doJobs(db, accountId, dyingAt(shop.cards, death)),
          ]);
          death = null;
        } else if (step.do === "settle") {
          await settleLater(shop, accountId);
        } else if (step.do === "deliver") {
          const webhooks = await pending();
          const some = webhooks.filter((_, at) => (at * 7 + step.seed) % 3 !== 0);
          await deliver(...some.toReversed(), ...some.slice(0, 2));
        } else if (step.do === "answers") {
          await shop.control("PUT", "/charges/answers", { lost: step.lost });
        } else if (step.do === "card") {
          const { behavior } = step;
          await shop.control("PUT", `/kept-cards/${paymentMethodId}`, { behavior });
        } else if (step.do === "another card") {
          ({ customerId, paymentMethodId } = await keepCardFor(shop, accountId, terms));
          ({ threshold } = terms);
        } else if (step.do === "a page that is left") {
          const { skuKey } = PACK;
          const wanted = { ...{ accountId, skuKey, customerId }, threshold: 1, monthlyAmount: 1e6 };
          await requestCardFor(db, wanted);
        } else if (step.do === "a slow call") {
          while ((await getBalance(accountId, db)) >= threshold)
            running.push(await spend(db, accountId));
          let isFirst = true;
          await doJobs(db, accountId, {
            ...shop.cards,
            async charge(charge) {
              if (!isFirst) return shop.cards.charge(charge);
              isFirst = false;
              // Nobody finds it, so it is asked for again, or given up. Then it leaves.
              const runId = step.isBack ? running.pop() : undefined;
              if (runId) await takeBack(db, runId);
              await settleLater(shop, accountId, step.minutes);
              return shop.cards.charge(charge);
            },
          });
        } else if (step.do === "other terms") {
          const { skuKey } = PACK;
          const chosen = { ...{ accountId, skuKey, ...terms }, threshold: 4 * COST };
          if (await db.$transaction((it) => agreeToTerms(chosen, it))) {
            ({ threshold } = chosen);
            agreements += 1;
          }
        } else if (step.do === "the card goes") {
          gone.add(paymentMethodId);
          await shop.control("POST", `/kept-cards/${paymentMethodId}/detach`);
        } else {
          death = step.at;
        }
        expect(await money()).toBeLessThanOrEqual(packs);
        // Of each attempt the money is taken once, and the credits come with its event, and not before.
        const attempts = await db.topUp.findMany({ where: { accountId }, select: { id: true } });
        const taken = await moneyOfTopUps(shop);
        for (const { id } of attempts) expect(taken[id]?.charges ?? 0).toBeLessThanOrEqual(1);
        const granted = await db.order.findMany({ where: { userId: accountId } });
        expect(granted.map(({ providerCheckoutId }) => providerCheckoutId).sort()).toEqual(
          [...toldPaid].map((id) => `topup:${id}`).sort(),
        );
        const open = await db.topUp.count({
          where: { accountId, status: { in: ["claimed", "asked", "unknown"] } },
        });
        expect(open).toBeLessThanOrEqual(1);
        // A page that no card came from changes nothing, and a card that is gone takes no other one with it.
        const settings = await db.accountSettings.findUniqueOrThrow({ where: { accountId } });
        expect(settings.threshold).toBe(threshold);
        if (settings.offReason === "card_removed") expect([...gone]).toContain(paymentMethodId);
      }

      // In the end all is told: what was taken was granted once, and nothing else.
      await shop.control("PUT", "/charges/answers", {});
      for (let round = 0; round < 3; round += 1) {
        await settleLater(shop, accountId, 21 * 60);
        await deliver(...(await pending()));
        await doJobs(db, accountId, shop.cards);
      }
      await deliver(...(await pending()));
      const topUps = await db.topUp.findMany({ where: { accountId } });
      const paid = topUps.filter(({ status }) => status === "paid");
      const orders = await db.order.findMany({ where: { userId: accountId } });
      expect(paid.length).toBe(await money());
      expect(orders.map(({ providerCheckoutId }) => providerCheckoutId).sort()).toEqual(
        paid.map(({ id }) => `topup:${id}`).sort(),
      );
      expect(
        orders.every(
          ({ amount, credits }) => amount === BigInt(PACK.amount) && credits === PACK.credits,
        ),
      ).toBe(true);
      expect(
        topUps.filter(({ status }) => !["paid", "declined", "canceled"].includes(status)),
      ).toEqual([]);
      // A new lot arms the mark, and so does the owner who keeps a card or agrees anew. An attempt that took nothing, because the
      // credits were there again or nobody was asked, leaves its crossing to another one.
      const lots = await db.creditTransaction.count({
        where: { userId: accountId, remaining: { not: null } },
      });
      const cards = 1 + steps.filter(({ do: what }) => what === "another card").length;
      const over = topUps.filter(({ reason }) => !LOOKED_AT_AGAIN.includes(reason ?? ""));
      expect(over.length).toBeLessThanOrEqual(lots + cards + agreements);
      // No crossing is forgotten: each that is left had its own attempt, which used it up.
      const crossings = await db.crossing.findMany({ where: { accountId, watcher: "top_up" } });
      for (const { id } of crossings) expect(over.map((it) => it.crossingId)).toContain(id);
      expect(await auditLedger({}, db)).toMatchObject({ faults: 0 });
      charged += paid.length;
    });
    // Without charges the law would say nothing.
    expect(charged).toBeGreaterThan(byRun({ few: 0, many: 20 }));
  },
);
