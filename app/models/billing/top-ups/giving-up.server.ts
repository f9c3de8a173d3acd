import type { Database } from "~/db.server";
import type { TopUp } from "~/generated/prisma/client";
import { lockTopUp } from "~/models/billing/top-ups/attempts.server";
import { conclude } from "~/models/billing/top-ups/charge.server";
import { endTopUp } from "~/models/billing/top-ups/ends.server";
import { lockAccount } from "~/models/credits/accounts.server";
import type { KeptCards } from "~/services/payments/kept-cards";
import { toMinorUnits } from "~/utils/money";

/** Minutes after which no request of ours is still under way, unless its process stood still. */
export const UNDER_WAY_MINUTES = 15;

/** Returns the facts by which a charge is looked up. */
export const soughtOf = ({
  id: topUpId,
  providerCustomerId: customerId,
  providerPaymentId: paymentId,
  ...times
}: TopUp) => ({ topUpId, customerId, paymentId, since: times.askedAt ?? times.createdAt });

/**
 * Ends an attempt that was given up, once nothing can come of it any more: the provider refuses a request that a process sends late, and
 * then has no payment of it. If a request came before, it has so many minutes to become one.
 * @throws AppError 502 provider_error: it is tried again later
 */
export async function giveUp(topUp: TopUp, cards: KeptCards, db: Database): Promise<void> {
  const { id: topUpId, amount, currency } = topUp;
  const isUnused = await cards.forbidCharge({ topUpId, amount: toMinorUnits(amount), currency });
  const outcome = await cards.findCharge(soughtOf(topUp));
  if (outcome) return conclude({ topUpId, outcome }, cards, db);
  await db.$transaction(async (transaction) => {
    const held = await lockTopUp(topUpId, transaction);
    if (held?.status !== "asked" && held?.status !== "unknown") return;
    // A spend holds the account when it comes for the crossing that is given back here.
    await lockAccount(held.accountId, transaction);
    const [age] = await transaction.$queryRaw<{ isLong: boolean }[]>`
      SELECT given_up_at < now() - make_interval(mins => ${UNDER_WAY_MINUTES}) AS "isLong"
      FROM top_ups WHERE id = ${topUpId}::uuid`;
    if (isUnused || age?.isLong)
      await endTopUp(held, { status: "canceled", reason: "never_charged" }, transaction);
  });
}
