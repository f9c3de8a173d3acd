import { createHash } from "node:crypto";
import { ACTION_KEYS, type ActionKey } from "~/catalog";
import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { MeteredRunStatus } from "~/generated/prisma/enums";
import { IS_LOST } from "~/models/metering/leases.server";
import { isUuid } from "~/utils/uuid";

/** Why a run was refunded; also the error code of the response. */
export type RunFault = "prompt_rejected" | "generation_failed";

/** One use of an action. Amounts are in credits. */
export interface Run {
  id: string;
  accountId: string;
  action: ActionKey;
  unitsReserved: number;
  unitsUsed: number;
  creditsReserved: number;
  /** Net of refunds; 0 until it is settled. */
  creditsCharged: number;
  /** How often more credits were taken while it ran. */
  extensions: number;
  /** Spendable credits when it ended; null until then. */
  balanceAfter: number | null;
  status: MeteredRunStatus;
  provider: string | null;
  model: string | null;
  error: RunFault | null;
  createdAt: Date;
  settledAt: Date | null;
}

/** SQL: the row `run` is of an action that the catalog has. Lists leave out all others. */
export const IS_KNOWN = Prisma.sql`run.action = ANY (${ACTION_KEYS})`;

/** SQL: the columns of a `Run`. */
export const RUN = Prisma.sql`
  run.id, run.account_id AS "accountId", run.action, run.units_reserved AS "unitsReserved",
  run.units_used AS "unitsUsed", run.credits_reserved AS "creditsReserved",
  run.credits_charged AS "creditsCharged", run.extensions, run.balance_after AS "balanceAfter",
  run.status, run.provider, run.model, run.error, run.created_at AS "createdAt",
  run.settled_at AS "settledAt"`;

/**
 * The account that pays for a user's runs. A person's account has the person's id; several people may
 * share one some day.
 */
export const accountOf = ({ id }: { id: string }): string => id;

/** Tells apart two different requests under one idempotency key. `input` is the action's own, in a fixed order. */
export const hashInput = (input: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(input)).digest("base64url");

/** The source of a run's deduction; `nth` from 2 is that of an extension. */
export function runSource({ id, action }: { id: string; action: ActionKey }, nth = 1): string {
  const source = `${action === "image" ? "generation" : "run"}:${id}`;
  return nth === 1 ? source : `${source}:${nth}`;
}

/** The account's run; null for another's or a malformed id. */
export async function getRun(
  { runId, accountId }: { runId: string; accountId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<Run | null> {
  if (!isUuid(runId)) return null;
  const statement = Prisma.sql`
    SELECT ${RUN} FROM metered_runs run
    WHERE id = ${runId}::uuid AND account_id = ${accountId}::uuid`;
  const [run] = await queryPrepared<Run>("get_run", statement, db);
  return run ?? null;
}

export interface KeyedRequest {
  accountId: string;
  action: ActionKey;
  idempotencyKey: string;
  /** `hashInput` of the request. */
  requestHash: string;
}

export type EarlierRun =
  | { status: "none" }
  /** The key belongs to a different request. */
  | { status: "mismatch" }
  /**
   * Its process died, and nobody can go on with the run or is at work on it. One that a provider still works on past its
   * deadline is in progress until `endStaleRuns` refunds it and cancels it there.
   */
  | { status: "abandoned"; runId: string }
  | { status: "in_progress"; runId: string }
  | { status: "ended"; run: Run };

interface EarlierRow extends Run {
  isSame: boolean;
  isAbandoned: boolean;
}

/** Finds the earlier request with this idempotency key, and how it ended. */
export async function findEarlierRun(
  { accountId, action, idempotencyKey, requestHash }: KeyedRequest,
  db: DatabaseOrTransaction = getDb(),
): Promise<EarlierRun> {
  const statement = Prisma.sql`
    SELECT ${RUN}, request_hash = ${requestHash} AS "isSame",
      (${IS_LOST} AND provider_request_id IS NULL) AS "isAbandoned"
    FROM metered_runs run
    WHERE account_id = ${accountId}::uuid AND action = ${action}
      AND idempotency_key = ${idempotencyKey}`;
  const [row] = await queryPrepared<EarlierRow>("find_earlier_run", statement, db);
  if (!row) return { status: "none" };
  const { isSame, isAbandoned, ...run } = row;
  if (!isSame) return { status: "mismatch" };
  if (run.status !== "reserved") return { status: "ended", run };
  return { status: isAbandoned ? "abandoned" : "in_progress", runId: run.id };
}
