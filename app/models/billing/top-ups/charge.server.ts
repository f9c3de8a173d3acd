import type { SkuKey } from "~/catalog";
import { type Database, getDb } from "~/db.server";
import type { TopUp } from "~/generated/prisma/client";
import { ownSite } from "~/models/billing/customers/installation.server";
import { IS_AGREED, IS_ON } from "~/models/billing/top-ups/is-on.server";
import { IS_OF_THIS_MONTH } from "~/models/billing/top-ups/month.server";
import {
  noteNeedsCustomer,
  noteOutcome,
  noteUnknown,
} from "~/models/billing/top-ups/outcomes.server";
import type { ChargeOutcome, KeptCards } from "~/services/payments/kept-cards";
import { AppError } from "~/utils/app-error";
import { log } from "~/utils/logger.server";
import { toMinorUnits } from "~/utils/money";

/** Seconds in which a call leaves once it was decided on, or not at all: a process can stand still for any time. */
const LEAVE_SECONDS = 60;

/** A decision to ask the provider, with its time as the row has it, which no other decision has. */
export interface Decided {
  topUp: TopUp;
  calledAt: string;
}

/**
 * Asks the provider for the payment that was decided on, if the decision is the last one, the attempt is still open, and no time has passed.
 * Otherwise it is found out about later.
 */
export async function charge(
  { topUp, calledAt }: Decided,
  cards: KeptCards,
  db: Database,
): Promise<void> {
  const { id: topUpId, accountId: userId, providerCustomerId: customerId } = topUp;
  const { skuKey, paymentMethodId, amount, currency } = topUp;
  const leaveBy = Date.now() + LEAVE_SECONDS * 1000;
  if (!(await mayLeave({ topUpId, calledAt }, db))) {
    log().warn({ topUpId }, "a top-up isn't asked for: its decision is over");
    return;
  }
  let outcome: ChargeOutcome;
  try {
    outcome = await cards.charge({
      ...{ topUpId, userId, customerId, paymentMethodId, currency, leaveBy },
      site: ownSite(),
      skuKey: skuKey as SkuKey,
      amount: toMinorUnits(amount),
    });
  } catch (error) {
    return leaveUnknown(topUpId, error, db);
  }
  await conclude({ topUpId, outcome }, cards, db);
}

/** Immediately before the call: the row decides once more, with what its owner says by now, and notes when the call left. */
async function mayLeave(
  { topUpId, calledAt }: { topUpId: string; calledAt: string },
  db: Database,
): Promise<boolean> {
  const leaving = await db.$executeRaw`
    UPDATE top_ups top_up SET called_at = now()
    FROM account_settings settings
    WHERE top_up.id = ${topUpId}::uuid AND status IN ('asked', 'unknown') AND given_up_at IS NULL
      AND called_at = ${calledAt}::timestamptz
      AND called_at > now() - make_interval(secs => ${LEAVE_SECONDS})
      AND settings.account_id = top_up.account_id AND ${IS_ON} AND ${IS_AGREED}
      AND ${IS_OF_THIS_MONTH}`;
  return leaving > 0;
}

/** A fault of our own is rethrown: the row stays as it is, and is found out about later. */
async function leaveUnknown(topUpId: string, error: unknown, db: Database): Promise<void> {
  if (!(error instanceof AppError)) throw error;
  log().warn({ err: error, topUpId }, "what became of a top-up isn't known yet");
  await noteUnknown(topUpId, db);
}

/** Writes what became of a payment. One that the bank wants the customer for is cancelled first, so that nobody can confirm it later. */
export async function conclude(
  { topUpId, outcome }: { topUpId: string; outcome: ChargeOutcome },
  cards: KeptCards,
  db: Database = getDb(),
): Promise<void> {
  let known = outcome;
  if (outcome.status === "action_required") {
    await noteNeedsCustomer({ topUpId, paymentId: outcome.paymentId }, db);
    try {
      known = await cards.cancelCharge(outcome);
    } catch (error) {
      return leaveUnknown(topUpId, error, db);
    }
  }
  await db.$transaction((transaction) => noteOutcome({ topUpId, outcome: known }, transaction));
}
