import { type SkuKey, slotOf } from "~/catalog";
import { type Database, getDb, type Transaction } from "~/db.server";
import { offersTopUp } from "~/env/payments";
import { getEnv } from "~/env.server";
import { Prisma, type TopUp } from "~/generated/prisma/client";
import { issueGrantsOf } from "~/models/billing/periods/grant-run.server";
import {
  findCatalogFault,
  findObstacle,
  lockTopUp,
  OPEN_STATUSES,
  type SaleFault,
} from "~/models/billing/top-ups/attempts.server";
import { charge, conclude, type Decided } from "~/models/billing/top-ups/charge.server";
import { endTopUp } from "~/models/billing/top-ups/ends.server";
import { giveUp, soughtOf, UNDER_WAY_MINUTES } from "~/models/billing/top-ups/giving-up.server";
import type { KeptCards } from "~/services/payments/kept-cards";
import { log } from "~/utils/logger.server";
import { toMinorUnits } from "~/utils/money";

/** Hours in which the provider surely knows the first request of an idempotency key; it keeps keys for 24. */
const REPEATABLE_HOURS = 20;

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
  // A month that came due since the claim may be all that the account lacked.
  await issueGrantsOf(topUp.accountId, db);
  if (topUp.status === "claimed") {
    const decided = await ask(topUp, cards, db);
    if (decided) await charge(decided, cards, db);
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

/** Decides whether the provider is asked: only one caller is told so. Null if it isn't. */
async function ask(topUp: TopUp, cards: KeptCards, db: Database): Promise<Decided | null> {
  const saleFault = await findSaleFault(topUp, cards);
  return db.$transaction(async (transaction) => {
    const held = await lockTopUp(topUp.id, transaction);
    if (held?.status !== "claimed") return null;
    const obstacle = await findObstacle(held, { saleFault }, transaction);
    if (obstacle !== null) {
      await endTopUp(held, { status: "canceled", reason: obstacle }, transaction);
      return null;
    }
    const [asked] = await transaction.$queryRaw<{ calledAt: string }[]>`
      UPDATE top_ups SET status = 'asked', asked_at = now(), called_at = now() WHERE id = ${held.id}::uuid
      RETURNING called_at::text AS "calledAt"`;
    return asked ? { topUp, ...asked } : null;
  });
}

async function isProviderPrice({ skuKey, amount, currency }: TopUp, cards: KeptCards) {
  const price = await cards.findPrice(skuKey as SkuKey);
  if (!price?.active || price.interval !== null) return false;
  return price.amount === toMinorUnits(amount) && price.currency === currency;
}

/** The next step of an attempt of which the provider has no payment. */
type Next = { do: "ask"; calledAt: string } | { do: "give_up" | "wait" };

/** Looks a payment up, and asks for it again if the provider doesn't have it and it is still wanted. */
async function findOut(topUp: TopUp, cards: KeptCards, db: Database): Promise<void> {
  const { id: topUpId } = topUp;
  const outcome = await cards.findCharge(soughtOf(topUp));
  if (outcome) return conclude({ topUpId, outcome }, cards, db);
  const saleFault = topUp.givenUpAt ? null : await findSaleFault(topUp, cards);
  const next = await db.$transaction((it) => decide({ topUpId, saleFault }, it));
  if (next.do === "ask") await charge({ topUp, calledAt: next.calledAt }, cards, db);
  if (next.do === "give_up") await giveUp(topUp, cards, db);
}

async function decide(
  { topUpId, saleFault }: { topUpId: string; saleFault: SaleFault | null },
  transaction: Transaction,
): Promise<Next> {
  const held = await lockTopUp(topUpId, transaction);
  if (held?.status !== "asked" && held?.status !== "unknown") return { do: "wait" };
  if (held.givenUpAt) return { do: "give_up" };
  const obstacle = await findObstacle(held, { saleFault }, transaction);
  const [age] = await transaction.$queryRaw<{ isRepeatable: boolean; isUnderWay: boolean }[]>`
    SELECT asked_at > now() - make_interval(hours => ${REPEATABLE_HOURS}) AS "isRepeatable",
      coalesce(called_at, asked_at) > now() - make_interval(mins => ${UNDER_WAY_MINUTES}) AS "isUnderWay"
    FROM top_ups WHERE id = ${topUpId}::uuid`;
  if (obstacle === null && age?.isRepeatable) {
    const [asked] = await transaction.$queryRaw<{ calledAt: string }[]>`
      UPDATE top_ups SET called_at = now() WHERE id = ${topUpId}::uuid
      RETURNING called_at::text AS "calledAt"`;
    if (asked) return { do: "ask", ...asked };
  }
  if (age?.isUnderWay) return { do: "wait" };
  await transaction.$executeRaw`UPDATE top_ups SET given_up_at = now() WHERE id = ${topUpId}::uuid`;
  return { do: "give_up" };
}

/** Minutes that an attempt's own process has. */
const OWN_MINUTES = 2;

/** SQL condition: an attempt that its own job should have ended by now. */
export const IS_UNSETTLED = Prisma.sql`status IN ('claimed', 'asked', 'unknown')
  AND coalesce(asked_at, created_at) < now() - make_interval(mins => ${OWN_MINUTES})`;

/**
 * Goes on with attempts whose process died, or whose outcome isn't known. Returns how many of them have ended: one that was charged
 * waits for its event.
 */
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
  const open = await db.topUp.count({
    where: {
      id: { in: rows.map(({ topUpId }) => topUpId) },
      status: { in: OPEN_STATUSES },
    },
  });
  return rows.length - open;
}
