import { randomUUID } from "node:crypto";
import type { Database } from "~/db.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { addMonths } from "~/utils/add-months";
import { PLAN, TOP_PLAN } from "../fixtures/sold";
import { applyEvents, newSubscription, orderRefunded, packCheckout } from "./billing";
import { createUser, DAY, inFuture } from "./credits";
import { chargeImages, settleImages } from "./image-runs";

/** Ids of rows, each of the same customer but for `other`. */
export interface SoldShop {
  user: string;
  /** Another user, without an account. */
  other: string;
  /** An order of 100 credits of which nothing went back, and its lot. */
  order: string;
  lot: string;
  /** An order of 100 credits of which half was refunded. */
  returned: string;
  /** A year that was upgraded and refunded by a third, and the period of the upgrade. */
  year: string;
  upgrade: string;
  /** A month, paid by another subscription, and its lot. */
  month: string;
  monthly: string;
  /** Generations: two images made, one of two made, none made. */
  whole: string;
  half: string;
  none: string;
}

/** Creates a customer with orders, returns, paid periods, an upgrade and generations. */
export async function createSoldShop(db: Database): Promise<SoldShop> {
  const user = await createUser(db);
  const [pack, returned] = [packCheckout(user), packCheckout(user)];
  const occurredAt = new Date();
  await applyEvents(db, pack, returned, orderRefunded(returned, 250, { occurredAt }));
  const year = await payUpgradedYear(db, user);
  const month = await payMonth(db, user);
  await runDueGrants({}, db);
  const orderOf = async (checkoutId: string) =>
    (await db.order.findFirstOrThrow({ where: { providerCheckoutId: checkoutId } })).id;
  const lotOf = async (reference: string) =>
    `${(await db.creditTransaction.findFirstOrThrow({ where: { reference, remaining: { gt: 0 } } })).id}`;
  const order = await orderOf(pack.checkoutId);
  const generations = { whole: await make(db, user, 2), half: await make(db, user, 1) };
  return {
    ...{ user, other: await createUser(db), order, lot: await lotOf(order) },
    returned: await orderOf(returned.checkoutId),
    ...year,
    ...{ month, monthly: await lotOf(month) },
    ...{ ...generations, none: await make(db, user, 0) },
  };
}

/** Refunded by a third before the upgrade. */
async function payUpgradedYear(db: Database, user: string) {
  const subscription = newSubscription(user);
  const [start, end] = [inFuture(-2 * DAY), inFuture(363 * DAY)];
  const priceId = `price_${PLAN.planKey}_year`;
  const payments = [{ id: `pi_${randomUUID()}`, amount: null }];
  const invoice = subscription.paid(start, end, { amount: 9000, priceId, payments });
  const upgrade = subscription.paid(inFuture(0), end, {
    ...{ covers: "upgrade", priceId: `price_${TOP_PLAN.planKey}_year`, amount: 19_000 },
  });
  await applyEvents(db, subscription.changed(start, end, { priceId }), invoice);
  await runDueGrants({}, db);
  const occurredAt = new Date();
  await applyEvents(db, subscription.refunded(invoice, 3000, { occurredAt }), upgrade);
  const idOf = async ({ invoiceId }: typeof invoice) =>
    (await db.subscriptionPeriod.findFirstOrThrow({ where: { providerPaymentId: invoiceId } })).id;
  return { year: await idOf(invoice), upgrade: await idOf(upgrade) };
}

async function payMonth(db: Database, user: string): Promise<string> {
  const subscription = newSubscription(user);
  const start = inFuture(-DAY);
  const end = addMonths(start, 1);
  const invoice = subscription.paid(start, end);
  await applyEvents(db, subscription.changed(start, end), invoice);
  const { invoiceId } = invoice;
  return (await db.subscriptionPeriod.findFirstOrThrow({ where: { providerPaymentId: invoiceId } }))
    .id;
}

/** Charges for two images and delivers so many. */
async function make(db: Database, userId: string, made: number): Promise<string> {
  const runId = await chargeImages(db, userId, { prompt: "a lighthouse", n: 2, size: "square" });
  const image = { url: "https://images.test/1.png", persisted: false, fileId: null };
  await settleImages(
    db,
    runId,
    Array.from({ length: made }, () => image),
  );
  return runId;
}
