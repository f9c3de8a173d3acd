import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { creditsFor } from "~/catalog";
import type { Database } from "~/db.server";
import { forgetEnv } from "~/env.server";
import { applyBillingEvents } from "~/models/billing/effects.server";
import { runTopUp, settleTopUps } from "~/models/billing/top-ups/run-top-up.server";
import { requestCard } from "~/models/billing/top-ups/terms.server";
import { ensureAccount } from "~/models/credits/accounts.server";
import { handleCrossing } from "~/models/metering/handle-crossing.server";
import { refundRun } from "~/models/metering/settle.server";
import type { KeptCards } from "~/services/payments/kept-cards";
import { PACK, priceVariable } from "../fixtures/sold";
import { createLot, createUser } from "./credits";
import { chargeImages } from "./image-runs";
import { press, startPayments, verify } from "./payments";
import type { ReceivedWebhook } from "./webhook-receiver";

export const TOP_UP_ENV = {
  NEXT_PUBLIC_ENABLE_PAYMENTS: "true",
  PAYMENTS_PROVIDER: "stripe",
  PROVIDER_A_TOP_UP: "true",
  PROVIDER_A_SECRET_KEY: "sk_test_sandbox",
  [priceVariable(PACK.skuKey)]: "price_of_the_pack",
  SMTP_URL: "smtp://127.0.0.1:1",
  EMAIL_FROM: "shop@example.com",
};

/** The cost of one run of the owners below. */
export const COST = creditsFor("image", 1);

export type TopUpShop = Awaited<ReturnType<typeof openTopUpShop>>;

/** Stripe's stand-in, and what the app does with it, in this process. */
export async function openTopUpShop(db: Database) {
  const payments = await startPayments();
  const { keptCards: cards } = payments.stripe;
  if (!cards) throw new Error("Stripe keeps cards");
  const control = (method: string, path: string, body?: object) =>
    payments.control("stripe", method, path, body);
  const { received } = payments.receiver;

  async function sent(): Promise<ReceivedWebhook[]> {
    await control("POST", "/deliveries/settle");
    return [...received];
  }

  async function deliver(...webhooks: ReceivedWebhook[]): Promise<void> {
    for (const webhook of webhooks) {
      const { events } = verify(payments.stripe, webhook);
      await db.$transaction((it) => applyBillingEvents({ provider: "stripe", events }, it));
    }
  }

  return { ...payments, db, cards, control, sent, deliver };
}

/** Writes an owner's terms, and keeps a card for them on the hosted page. */
export async function keepCardFor(
  { db, cards, sent, deliver }: TopUpShop,
  accountId: string,
  { threshold, monthlyAmount, card = "4242" }: Terms,
): Promise<{ customerId: string; paymentMethodId: string }> {
  const request = { userId: accountId, site: "localhost:3000" };
  const customerId = await cards.createCustomer({ ...request, email: "owner@example.com" });
  const terms = { accountId, threshold, skuKey: PACK.skuKey, monthlyAmount, customerId };
  const { requestId } = await requestCardFor(db, terms);
  const urls = { successUrl: "http://localhost:3000/", cancelUrl: "http://localhost:3000/" };
  const page = await cards.createCardPage({ ...request, requestId, customerId, ...urls });
  const before = (await sent()).length;
  await press(page?.url ?? "", { card });
  await deliver(...(await sent()).slice(before));
  const settings = await db.accountSettings.findUniqueOrThrow({ where: { accountId } });
  return { customerId, paymentMethodId: settings.paymentMethodId ?? "" };
}

/** Names a page that may keep a card for these terms. */
export async function requestCardFor(db: Database, terms: Parameters<typeof requestCard>[0]) {
  const named = await db.$transaction((it) => requestCard(terms, it));
  if (!named) throw new Error("the account was deleted");
  return named;
}

/** Opens the page on which another card is kept, for other terms. Returns what the owner does there. */
export async function openCardPage(
  { db, cards, sent, deliver }: TopUpShop,
  { accountId, customerId }: { accountId: string; customerId: string },
  threshold: number,
) {
  const terms = { ...{ accountId, customerId, threshold }, skuKey: PACK.skuKey };
  const { requestId } = await requestCardFor(db, { ...terms, monthlyAmount: 9 * PACK.amount });
  const url = "http://localhost:3000/";
  const page = await cards.createCardPage({
    ...{ requestId, userId: accountId, site: "localhost:3000", customerId },
    ...{ successUrl: url, cancelUrl: url },
  });
  return async () => {
    const before = (await sent()).length;
    await press(page?.url ?? "", { card: "4242" });
    await deliver(...(await sent()).slice(before));
  };
}

interface Terms {
  /** Credits. */
  threshold: number;
  /** Minor units. */
  monthlyAmount: number;
  /** The last four digits of the test card. */
  card?: string;
}

/** An account with credits for `runs` runs, which buys a pack below those for `mark`, `packs` times a month at most. */
export async function createOwner(
  shop: TopUpShop,
  { runs, mark, packs, card }: { runs: number; mark: number; packs: number; card?: string },
) {
  const { db } = shop;
  const accountId = await createUser(db);
  await ensureAccount(accountId, db);
  await createLot(db, accountId, runs * COST);
  const terms = { threshold: mark * COST, monthlyAmount: packs * PACK.amount };
  const kept = await keepCardFor(shop, accountId, { ...terms, ...(card ? { card } : {}) });
  return { accountId, ...kept, terms };
}

export const spend = (db: Database, accountId: string): Promise<string> =>
  chargeImages(db, accountId, { prompt: `a lake ${randomUUID()}`, n: 1, size: "square" });

export const takeBack = (db: Database, runId: string) =>
  refundRun({ runId, error: "generation_failed" }, db);

interface WaitingJob {
  id: string;
  data: { crossingId: string } | { topUpId: string };
}

/**
 * Does the jobs of the account's crossings and attempts that wait, and those that they add, as a worker does. A call that fails fails
 * the job, not the test, and leaves it there. `again`: all that there ever were, because the engine may give a job twice.
 */
export async function doJobs(
  db: Database,
  accountId: string,
  cards: KeptCards,
  { again = false }: { again?: boolean } = {},
): Promise<void> {
  const tried: string[] = [];
  for (;;) {
    const jobs = await db.$queryRaw<WaitingJob[]>`
      SELECT job.id, job.data FROM pgboss.job
        LEFT JOIN crossings ON job.name = 'crossings' AND crossings.id::text = job.data ->> 'crossingId'
        LEFT JOIN top_ups ON job.name = 'top-ups' AND top_ups.id::text = job.data ->> 'topUpId'
      WHERE coalesce(crossings.account_id, top_ups.account_id) = ${accountId}::uuid
        AND (${again} OR job.state = 'created') AND job.id <> ALL (${tried}::uuid[])
      ORDER BY job.created_on, job.id`;
    if (jobs.length === 0) return;
    for (const { id, data } of jobs) {
      tried.push(id);
      const done =
        "topUpId" in data
          ? runTopUp(data, cards, db)
          : db.$transaction((it) => handleCrossing(data, it));
      const isDone = await done.then(
        () => true,
        () => false,
      );
      if (isDone)
        await db.$executeRaw`UPDATE pgboss.job SET state = 'completed' WHERE id = ${id}::uuid`;
    }
  }
}

/** Lets so many minutes pass since the account's attempts. */
async function ageAttempts(db: Database, accountId: string, minutes: number): Promise<void> {
  await db.$executeRaw`
    UPDATE top_ups SET created_at = created_at - make_interval(mins => ${minutes}),
      asked_at = asked_at - make_interval(mins => ${minutes}),
      called_at = called_at - make_interval(mins => ${minutes}),
      given_up_at = given_up_at - make_interval(mins => ${minutes}) WHERE account_id = ${accountId}::uuid`;
}

/** Does maintenance's work on attempts that are older than their own job's time. Returns how many of them ended. */
export async function settleLater({ db, cards }: TopUpShop, accountId: string, minutes = 3) {
  await ageAttempts(db, accountId, minutes);
  return settleTopUps({ limit: 50 }, cards, db);
}

/** Returns the outcomes of the account's attempts, oldest first. */
export const statusesOf = async (db: Database, accountId: string) =>
  (await db.topUp.findMany({ where: { accountId }, orderBy: { createdAt: "asc" } })).map(
    ({ status, reason }) => (reason ? `${status}: ${reason}` : status),
  );

export const settingsOf = (db: Database, accountId: string) =>
  db.accountSettings.findUniqueOrThrow({ where: { accountId } });

/** The owner's emails about top-ups, with their reasons. */
export const emailsOf = async (db: Database, userId: string) =>
  (
    await db.outboxEmail.findMany({
      where: { userId, kind: { startsWith: "top_up" } },
      orderBy: { createdAt: "asc" },
    })
  ).map(({ kind, data }) => `${kind} ${(data as { reason?: string }).reason ?? ""}`.trim());

/** Sets variables of the environment for the rest of a test. */
export function changeEnv(changes: Record<string, string>): void {
  const before = Object.keys(changes).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, changes);
  forgetEnv();
  onTestFinished(() => {
    for (const [name, value] of before) process.env[name] = value ?? "";
    forgetEnv();
  });
}

interface Money {
  charges: number;
  taken: number;
  returned: number;
}

/** Returns what the stand-in took for each attempt, by the attempt's id. */
export async function moneyOfTopUps({ control }: TopUpShop): Promise<Record<string, Money>> {
  const { body } = await control("GET", "/money/top-ups");
  return body as Record<string, Money>;
}

/** Returns the sum that the stand-in took from a customer. */
export async function moneyOf({ control }: TopUpShop, customerId: string): Promise<Money> {
  const { body } = await control("GET", "/money");
  const sums = body as Record<string, Money>;
  return sums[customerId] ?? { charges: 0, taken: 0, returned: 0 };
}
