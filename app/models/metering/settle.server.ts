import { type DatabaseOrTransaction, getDb, queryPrepared, type Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { refundSpends } from "~/models/billing/returns/spend-refunds.server";
import { spendableCredits } from "~/models/credits/balance.server";
import type { OwnStep } from "~/models/metering/reserve.server";
import { RUN, type Run, type RunFault, runSource } from "~/models/metering/runs.server";
import { log } from "~/utils/logger.server";
import { count } from "~/utils/metrics.server";

export interface Settlement {
  runId: string;
  /** The units that were made, from 1. */
  unitsUsed: number;
  provider: string;
  model: string | null;
  /** In millionths of a US dollar; null if unknown. */
  costUsdMicros: number | null;
  /** Keeps the result, in the same statement. */
  own: OwnStep;
}

/** Time for an end: each deduction of a run gets its own refund, and a long text has hundreds. */
const ENDING = { timeout: 30_000 };

/** SQL: what `units` cost at the run's own price: never more than was reserved. */
const chargeFor = (units: number) => Prisma.sql`
  least(credits_reserved,
    greatest(least_credits, ceil(${units}::numeric * unit_credits / unit_size)))::int`;

/**
 * Ends a run with a result: charges for the units that were used and gives the rest back, the last
 * deduction first. The compare-and-set decides: returns null, with nothing changed, if the run has ended
 * already. If nothing goes back it is one statement. A provider that counts more than was reserved drains
 * nobody: the reserved credits are the charge, and a warning is logged.
 */
export async function settleRun(
  settlement: Settlement,
  db: DatabaseOrTransaction = getDb(),
): Promise<Run | null> {
  const run =
    (await settleWhole(settlement, db)) ??
    (await db.$transaction((transaction) => settlePart(settlement, transaction), ENDING));
  countEnd(run);
  if (run && run.unitsUsed > run.unitsReserved)
    log().warn(
      { runId: run.id, used: run.unitsUsed, reserved: run.unitsReserved },
      "a run used more units than were reserved: the rest isn't charged",
    );
  return run;
}

/** SQL: what a settlement writes, without the balance. */
const settled = ({ unitsUsed, provider, model, costUsdMicros }: Settlement) => Prisma.sql`
  status = 'settled', units_used = ${unitsUsed}::int, credits_charged = ${chargeFor(unitsUsed)},
  provider = ${provider}, model = ${model}, cost_usd_micros = ${costUsdMicros}::bigint, settled_at = now()`;

/** Settles a run that used all it reserved; null, with nothing changed, for any other. */
async function settleWhole(settlement: Settlement, db: DatabaseOrTransaction): Promise<Run | null> {
  const { runId, unitsUsed, own } = settlement;
  const statement = Prisma.sql`
    WITH settled AS (
      UPDATE metered_runs run SET ${settled(settlement)},
        balance_after = ${spendableCredits(Prisma.sql`run.account_id`)}
      WHERE id = ${runId}::uuid AND status = 'reserved'
        AND ${chargeFor(unitsUsed)} = credits_reserved
      RETURNING ${RUN}
    )${own.step}
    SELECT * FROM settled`;
  const [run] = await queryPrepared<Run>(`settle_${own.name}`, statement, db);
  return run ?? null;
}

async function settlePart(settlement: Settlement, transaction: Transaction): Promise<Run | null> {
  const [run] = await transaction.$queryRaw<Run[]>`
    UPDATE metered_runs run SET ${settled(settlement)}
    WHERE id = ${settlement.runId}::uuid AND status = 'reserved' RETURNING ${RUN}`;
  if (!run) return null;
  await giveBack(run, run.creditsReserved - run.creditsCharged, transaction);
  return storeBalance(run.id, transaction, settlement.own);
}

/** Ends a run without a result: everything goes back, once. Returns null if it has ended already. */
export async function refundRun(
  { runId, error }: { runId: string; error: RunFault },
  db: DatabaseOrTransaction = getDb(),
): Promise<Run | null> {
  const refunded = await db.$transaction(async (transaction) => {
    const [run] = await transaction.$queryRaw<Run[]>`
      UPDATE metered_runs run SET status = 'refunded', error = ${error}, settled_at = now()
      WHERE id = ${runId}::uuid AND status = 'reserved' RETURNING ${RUN}`;
    if (!run) return null;
    await giveBack(run, run.creditsReserved, transaction);
    return storeBalance(runId, transaction);
  }, ENDING);
  countEnd(refunded);
  return refunded;
}

function countEnd(run: Run | null): void {
  if (!run) return;
  const { action, provider, status } = run;
  count("rcs_runs_total", { action, provider: provider ?? "none", outcome: status });
}

/** Gives credits of a run back, the last deduction first, one refund for each. */
async function giveBack(run: Run, credits: number, transaction: Transaction): Promise<void> {
  const sources = Array.from({ length: run.extensions + 1 }, (_, at) => runSource(run, at + 1));
  const taken = await transaction.creditTransaction.findMany({
    where: { source: { in: sources }, type: "deduction" },
    select: { source: true, amount: true },
    orderBy: { id: "desc" },
  });
  let left = credits;
  const refunds = taken.flatMap(({ source, amount }) => {
    const back = Math.min(left, -amount);
    left -= back;
    return back > 0 ? [{ source, amount: back }] : [];
  });
  if (left > 0) throw new Error(`run ${run.id} took ${left} credits less than it gives back`);
  await refundSpends(refunds, transaction);
}

/** Stores the balance of the response, so that a replayed request returns the same. */
async function storeBalance(
  runId: string,
  transaction: Transaction,
  own?: OwnStep,
): Promise<Run | null> {
  const [run] = await transaction.$queryRaw<Run[]>`
    WITH settled AS (
      UPDATE metered_runs run SET balance_after = ${spendableCredits(Prisma.sql`run.account_id`)}
      WHERE id = ${runId}::uuid RETURNING ${RUN}
    )${own?.step ?? Prisma.empty}
    SELECT * FROM settled`;
  return run ?? null;
}
