import {
  type DatabaseOrTransaction,
  getDb,
  isOutsideTransaction,
  type Transaction,
} from "~/db.server";
import { issueGrantsOf } from "~/models/billing/periods/grant-run.server";
import { queueOf, spendCredits } from "~/models/credits/spends.server";
import { crossingSteps } from "~/models/metering/crossings.server";
import { refuseByLimit } from "~/models/metering/limit-notices.server";
import { type LimitReached, passesNoLimit } from "~/models/metering/limits.server";
import { RUN, type Run, runSource } from "~/models/metering/runs.server";

export type ExtendResult =
  | { status: "extended"; run: Run }
  | { status: "insufficient"; required: number; balance: number }
  | LimitReached
  /** It was settled or refunded in the meantime, or its deadline is over. */
  | { status: "ended" };

/**
 * Takes more credits for a run that goes on, so that `units` in all are paid for, at the price kept with
 * it. All or nothing: without enough credits, or past a monthly limit, nothing changes. Outside a transaction, grants
 * that are due are issued before too few credits are reported.
 */
export async function extendRun(
  extension: { runId: string; units: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<ExtendResult> {
  if (!isOutsideTransaction(db)) return extendLocked(extension, db);
  const { accountId } = await db.meteredRun.findUniqueOrThrow({
    where: { id: extension.runId },
    select: { accountId: true },
  });
  const extend = () =>
    queueOf(db)(accountId, () =>
      db.$transaction((transaction) => extendLocked(extension, transaction)),
    );
  const extended = await extend();
  if (extended.status !== "insufficient") return extended;
  await issueGrantsOf(accountId, db);
  return extend();
}

interface Priced extends Run {
  /** Credits that `units` in all cost. */
  required: number;
  apiKeyId: string | null;
}

/** The run is locked before the account, as at its end. */
async function extendLocked(
  { runId, units }: { runId: string; units: number },
  transaction: Transaction,
): Promise<ExtendResult> {
  const [run] = await transaction.$queryRaw<Priced[]>`
    SELECT ${RUN}, run.api_key_id AS "apiKeyId", greatest(least_credits, ceil(${units}::numeric * unit_credits / unit_size))::int AS required
    FROM metered_runs run
    WHERE id = ${runId}::uuid AND status = 'reserved' AND deadline_at > now() FOR UPDATE`;
  if (!run) return { status: "ended" };
  const { required, apiKeyId, ...unchanged } = run;
  const amount = required - run.creditsReserved;
  if (amount <= 0) return { status: "extended", run: unchanged };
  const { accountId, createdAt } = run;
  const counted = { accountId, apiKeyId, amount, createdAt };
  const spent = await spendCredits(
    {
      userId: accountId,
      amount,
      source: runSource(run, run.extensions + 2),
      reference: run.id,
      attachedRow: {
        name: "extend",
        condition: passesNoLimit(counted),
        step: crossingSteps(counted),
      },
    },
    transaction,
  );
  if (spent.status === "insufficient") {
    if (spent.balance < amount) return spent;
    return (await refuseByLimit(counted, transaction)) ?? spent;
  }
  if (spent.status === "duplicate") throw new Error(`run ${run.id} was extended without its row`);
  const [extended] = await transaction.$queryRaw<Run[]>`
    UPDATE metered_runs run SET units_reserved = greatest(units_reserved, ${units}::int),
      credits_reserved = credits_reserved + ${amount}::int, extensions = extensions + 1
    WHERE id = ${runId}::uuid RETURNING ${RUN}`;
  if (!extended) throw new Error(`metered_runs: ${runId} is gone`);
  return { status: "extended", run: extended };
}
