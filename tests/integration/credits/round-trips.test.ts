import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { CURRENCY, creditsFor } from "~/catalog";
import { listFaults } from "~/models/credits/faults.server";
import { spendCredits } from "~/models/credits/spends.server";
import { startGeneration } from "~/models/images/generate-images.server";
import { processDelivery } from "~/models/webhooks/processing.server";
import type { ImageRouter } from "~/services/images/image-router.server";
import { packCheckout, setUpBillingEnv } from "../../helpers/billing";
import { countStatements } from "../../helpers/count-statements";
import { createUser, createUserWith, listRemaining, openLedger } from "../../helpers/credits";
import { reserveImages, settleImages } from "../../helpers/image-runs";

// A further round trip per request is a regression of speed that no other test sees.
setUpBillingEnv();
const ledger = openLedger();

const request = { prompt: "a lighthouse", n: 2, size: "square" } as const;
const COST = creditsFor("image", request.n);

test("a generation is charged by one statement and settled by one", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 2 * COST);
  const charge = await countStatements(() =>
    reserveImages(db, userId, { ...request, idempotencyKey: "key" }),
  );
  expect(charge).toMatchObject({ result: { status: "reserved" }, statements: 1 });
  const { runId } = charge.result as { runId: string };
  const image = { url: "https://images.test/1.png", persisted: false, fileId: null };
  const settled = await countStatements(() => settleImages(db, runId, [image, image]));
  expect(settled).toMatchObject({ result: { status: "settled" }, statements: 1 });
  expect(await listFaults([userId], db)).toEqual([]);
});

test("an image that nobody stores takes three statements: its charge, its call and its settlement", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, COST);
  const router: ImageRouter = {
    async generate(_, { keeper }) {
      await keeper?.calling({ provider: "openai", model: "a-model", attempts: [] });
      const images = [{ url: "https://images.test/1.png" }, { url: "https://images.test/2.png" }];
      return { status: "generated", provider: "openai", model: "a-model", images, passedOver: [] };
    },
    providers: [],
  };
  const services = { router, checkPrompt: null, store: null };
  const made = await countStatements(async () => {
    const begun = await startGeneration({ userId, request, idempotencyKey: null }, services, db);
    if (begun.status === "started") await begun.ended;
    return begun.status;
  });
  expect(made).toEqual({ result: "started", statements: 3 });
});

test("of two charges at once under one idempotency key, one is made", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 2 * COST);
  const charge = () => reserveImages(db, userId, { ...request, idempotencyKey: "twice" });
  const statuses = (await Promise.all([charge(), charge()])).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual(["key_taken", "reserved"]);
  expect(await db.meteredRun.count({ where: { accountId: userId } })).toBe(1);
  expect(await listFaults([userId], db)).toEqual([]);
});

test("a charge that the credits don't cover leaves no generation", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, COST - 1);
  const charge = await reserveImages(db, userId, request);
  expect(charge).toMatchObject({ status: "insufficient", balance: COST - 1 });
  expect(await db.meteredRun.count({ where: { accountId: userId } })).toBe(0);
});

test("a burst of spends on one account is one statement each", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 20);
  const burst = await countStatements(() =>
    Promise.all(
      Array.from({ length: 16 }, () =>
        spendCredits({ userId, amount: 1, source: `generation:${randomUUID()}` }, db),
      ),
    ),
  );
  expect(burst.statements).toBe(16);
  expect(await listRemaining(db, userId)).toEqual([4]);
});

function paidCheckout(userId: string, id = randomUUID()) {
  const event = packCheckout(userId, { checkoutId: `cs_${id}`, paymentId: `pi_${id}` });
  const delivery = { providerEventId: `evt_${id}`, type: "checkout.session.completed" };
  return {
    provider: "stripe" as const,
    delivery: { ...delivery, events: [event] },
    payload: new TextEncoder().encode("{}"),
  };
}

test("a webhook that grants credits is a claim and a transaction of two statements, and its replay is one", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 20);
  const webhook = paidCheckout(userId);
  const first = await countStatements(() => processDelivery(webhook, db));
  // The claim; BEGIN, the delivery's end, the sale, COMMIT.
  expect(first).toEqual({ result: { status: "processed" }, statements: 5 });
  const again = await countStatements(() => processDelivery(webhook, db));
  expect(again).toEqual({ result: { status: "deduped" }, statements: 1 });
  expect((await listRemaining(db, userId)).toSorted()).toEqual([100, 20]);
  expect(await listFaults([userId], db)).toEqual([]);
});

test("a copy of a finished delivery is not read, and one that can't be read fails and is kept", async () => {
  const { db } = ledger;
  const webhook = paidCheckout(await createUser(db));
  expect(await processDelivery(webhook, db)).toEqual({ status: "processed" });
  const unreadable = (providerEventId: string) => ({
    ...webhook,
    delivery: {
      providerEventId,
      type: webhook.delivery.type,
      get events(): never {
        throw new Error("it was read");
      },
    },
  });
  const again = unreadable(webhook.delivery.providerEventId);
  expect(await processDelivery(again, db)).toEqual({ status: "deduped" });
  const other = unreadable(`evt_${randomUUID()}`);
  expect(await processDelivery(other, db)).toEqual({ status: "failed" });
  const stored = { dedupeKey: `id:${other.delivery.providerEventId}`, status: "failed" as const };
  expect(await db.webhookDelivery.count({ where: stored })).toBe(1);
});

test("events under other ids that tell of one checkout at once grant its credits once", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const webhook = paidCheckout(userId);
  const copies = Array.from({ length: 8 }, (_, n) => ({
    ...webhook,
    delivery: { ...webhook.delivery, providerEventId: `evt_${userId}_${n}` },
  }));
  const results = await Promise.all(copies.map((copy) => processDelivery(copy, db)));
  expect(results).toEqual(Array(8).fill({ status: "processed" }));
  expect(await listRemaining(db, userId)).toEqual([100]);
  expect(await db.order.count({ where: { userId } })).toBe(1);
  expect(await listFaults([userId], db)).toEqual([]);
});

test("a payment that went back before its checkout came loses its credits in the same delivery", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const webhook = paidCheckout(userId);
  const [event] = webhook.delivery.events;
  await db.paymentReturn.create({
    data: {
      provider: "stripe",
      kind: "refund",
      state: "succeeded",
      providerPaymentId: event?.paymentId ?? "",
      amount: 500,
      chargedAmount: 500,
      currency: CURRENCY,
    },
  });
  expect(await processDelivery(webhook, db)).toEqual({ status: "processed" });
  expect(await listRemaining(db, userId)).toEqual([0]);
  expect(await listFaults([userId], db)).toEqual([]);
});
