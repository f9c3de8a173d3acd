import { type SkuKey, slotOf } from "~/catalog";
import { type Database, getDb } from "~/db.server";
import { offersTopUp } from "~/env/payments";
import { getEnv } from "~/env.server";
import { Prisma, type TopUp } from "~/generated/prisma/client";
import { ownSite } from "~/models/billing/customers/installation.server";
import {
  findCatalogFault,
  findObstacle,
  lockTopUp,
  type SaleFault,
} from "~/models/billing/top-ups/attempts.server";
import { endTopUp } from "~/models/billing/top-ups/ends.server";
import { noteOutcome, noteUnknown } from "~/models/billing/top-ups/outcomes.server";
import type { ChargeOutcome, KeptCards } from "~/services/payments/kept-cards";
import { NEEDS_CUSTOMER } from "~/services/payments/kept-cards";
import { AppError } from "~/utils/app-error";
import { log } from "~/utils/logger.server";
import { toMinorUnits } from "~/utils/money";

/** Hours in which the provider surely knows the first request of an idempotency key; it keeps keys for 24. */
const REPEATABLE_HOURS = 20;
/** Minutes after which no request of ours is still under way. */
const UNDER_WAY_MINUTES = 15;

/**
 * Goes on with an attempt, from wherever it is: asks for the payment, or finds out what became of it. It may run any number of times
 * and in several processes: the row decides what is next, and the provider takes all requests of an attempt for one. The
 * credits come with the provider's event.
 * @throws AppError 502 provider_error before anybody was asked for money
 */
export async function runTopUp(
  { topUpId }: { topUpId: string },
  cards: KeptCards,
  db: Database = getDb(),
): Promise<void> {
  const topUp = await db.topUp.findUnique({ where: { id: topUpId } });
  if (!topUp) return;
  if (topUp.status === "claimed") {
    if (await ask(topUp, cards, db)) await charge(topUp, cards, db);
  } else if (topUp.status === "asked" || topUp.status === "unknown") {
    await findOut(topUp, cards, db);
  }
}

/**
 * Returns the reason against the sale: top-up isn't offered, the pack isn't sold, or it costs or brings something else, here or at the
 * provider. Whatever is known here is not asked for, so that an attempt ends even where the provider can't be asked.
 */
async function findSaleFault(topUp: TopUp, cards: KeptCards): Promise<SaleFault | null> {
  const { payments } = getEnv();
  const { secretKey, prices } = payments.stripe;
  if (!offersTopUp(payments) || secretKey === null) return "not_offered";
  const fault = findCatalogFault(topUp);
  if (fault) return fault;
  const slot = slotOf({ type: "pack", skuKey: topUp.skuKey as SkuKey });
  if (payments.notForSale.includes(slot) || !prices[slot]) return "not_sold";
  return (await isProviderPrice(topUp, cards)) ? null : "price";
}

/** Decides whether the provider is asked. Only one caller is told so. */
async function ask(topUp: TopUp, cards: KeptCards, db: Database): Promise<boolean> {
  const saleFault = await findSaleFault(topUp, cards);
  return db.$transaction(async (transaction) => {
    const held = await lockTopUp(topUp.id, transaction);
    if (held?.status !== "claimed") return false;
    const obstacle = await findObstacle(held, { saleFault }, transaction);
    if (obstacle !== null) {
      await endTopUp(held, { status: "canceled", reason: obstacle }, transaction);
      return false;
    }
    await transaction.$executeRaw`
      UPDATE top_ups SET status = 'asked', asked_at = now(), called_at = now() WHERE id = ${held.id}::uuid`;
    return true;
  });
}

async function isProviderPrice({ skuKey, amount, currency }: TopUp, cards: KeptCards) {
  const price = await cards.findPrice(skuKey as SkuKey);
  if (!price?.active || price.interval !== null) return false;
  return price.amount === toMinorUnits(amount) && price.currency === currency;
}

async function charge(topUp: TopUp, cards: KeptCards, db: Database): Promise<void> {
  const { id: topUpId, accountId: userId, providerCustomerId: customerId } = topUp;
  const { skuKey, paymentMethodId, amount, currency } = topUp;
  let outcome: ChargeOutcome;
  try {
    outcome = await cards.charge({
      ...{ topUpId, userId, customerId, paymentMethodId, currency },
      site: ownSite(),
      skuKey: skuKey as SkuKey,
      amount: toMinorUnits(amount),
    });
  } catch (error) {
    return leaveUnknown(topUpId, error, db);
  }
  await conclude(topUpId, outcome, cards, db);
}

/** A fault of our own is rethrown: the row stays as it is, and is found out about later. */
async function leaveUnknown(topUpId: string, error: unknown, db: Database): Promise<void> {
  if (!(error instanceof AppError)) throw error;
  log().warn({ err: error, topUpId }, "what became of a top-up isn't known yet");
  await noteUnknown(topUpId, db);
}

/** A payment that the bank wants the customer for is cancelled, so that nobody can confirm it later. */
async function conclude(
  topUpId: string,
  outcome: ChargeOutcome,
  cards: KeptCards,
  db: Database,
): Promise<void> {
  let known = outcome;
  if (outcome.status === "action_required") {
    try {
      known = await cards.cancelCharge(outcome);
    } catch (error) {
      return leaveUnknown(topUpId, error, db);
    }
    if (known.status === "canceled") known = { ...known, code: NEEDS_CUSTOMER };
  }
  await db.$transaction((transaction) => noteOutcome({ topUpId, outcome: known }, transaction));
}

/** Looks a payment up, and asks for it again if the provider doesn't have it and it is still wanted. */
async function findOut(topUp: TopUp, cards: KeptCards, db: Database): Promise<void> {
  const { id: topUpId, providerCustomerId: customerId, providerPaymentId: paymentId } = topUp;
  const since = topUp.askedAt ?? topUp.createdAt;
  const found = await cards.findCharge({ topUpId, customerId, paymentId, since });
  if (found) return conclude(topUpId, found, cards, db);
  const saleFault = await findSaleFault(topUp, cards);
  const isAskedAgain = await db.$transaction(async (transaction) => {
    const held = await lockTopUp(topUpId, transaction);
    if (held?.status !== "asked" && held?.status !== "unknown") return false;
    const obstacle = await findObstacle(held, { saleFault }, transaction);
    const [age] = await transaction.$queryRaw<{ isRepeatable: boolean; isUnderWay: boolean }[]>`
      SELECT asked_at > now() - make_interval(hours => ${REPEATABLE_HOURS}) AS "isRepeatable",
        coalesce(called_at, asked_at) > now() - make_interval(mins => ${UNDER_WAY_MINUTES}) AS "isUnderWay"
      FROM top_ups WHERE id = ${topUpId}::uuid`;
    if (obstacle === null && age?.isRepeatable) {
      await transaction.$executeRaw`UPDATE top_ups SET called_at = now() WHERE id = ${topUpId}::uuid`;
      return true;
    }
    if (!age?.isUnderWay)
      await endTopUp(held, { status: "canceled", reason: "never_charged" }, transaction);
    return false;
  });
  if (isAskedAgain) await charge(topUp, cards, db);
}

/** Minutes that an attempt's own process has. */
const OWN_MINUTES = 2;

/** SQL condition: an attempt that its own job should have ended by now. */
export const IS_UNSETTLED = Prisma.sql`status IN ('claimed', 'asked', 'unknown')
  AND coalesce(asked_at, created_at) < now() - make_interval(mins => ${OWN_MINUTES})`;

/** Goes on with attempts whose process died, or whose outcome isn't known. Returns how many. */
export async function settleTopUps(
  { limit }: { limit: number },
  cards: KeptCards,
  db: Database = getDb(),
): Promise<number> {
  const rows = await db.$queryRaw<{ topUpId: string }[]>`
    SELECT id AS "topUpId" FROM top_ups
    WHERE ${IS_UNSETTLED}
    ORDER BY random() LIMIT ${limit}`;
  for (const row of rows) {
    try {
      await runTopUp(row, cards, db);
    } catch (error) {
      log().warn({ err: error, ...row }, "a top-up can't be settled yet");
    }
  }
  return rows.length;
}
