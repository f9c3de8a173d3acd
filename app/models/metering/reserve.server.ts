import { randomUUID } from "node:crypto";
import { ACTIONS, type ActionKey, creditsFor } from "~/catalog";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { issueGrantsOf } from "~/models/billing/periods/grant-run.server";
import { spendCredits } from "~/models/credits/spends.server";
import { laterJobStep } from "~/models/jobs/add-job.server";
import { crossingSteps } from "~/models/metering/crossings.server";
import { LEASE_SECONDS } from "~/models/metering/leases.server";
import { refuseByLimit } from "~/models/metering/limit-notices.server";
import { type LimitReached, passesNoLimit } from "~/models/metering/limits.server";
import { runSource } from "~/models/metering/runs.server";
import { IS_TOMBSTONE } from "~/models/tombstones.server";

/** A step that an action adds to a statement of its run, in the statement's `WITH`, with a leading comma. */
export interface OwnStep {
  /** Unique among the action's steps: the statement is prepared under it, so the SQL text must be constant. */
  name: string;
  /** At a reservation it selects from `run (id)`, at a settlement from `settled (id)`. */
  step: Prisma.Sql;
}

export interface Reservation {
  accountId: string;
  /** Null for a machine. */
  actorId: string | null;
  /** The key of a program; none for a session. */
  apiKeyId?: string | null;
  action: ActionKey;
  /** The estimate that is paid in advance, from 1. */
  units: number;
  idempotencyKey: string | null;
  requestHash: string;
  /** Nobody waits for its end, and another process may begin it. */
  isAsynchronous: boolean;
  /** Seconds after which it is refunded in any case. */
  deadlineSeconds: number;
  /** Writes the action's own row. */
  own: OwnStep;
}

export type ReserveResult =
  | { status: "reserved"; runId: string }
  | { status: "insufficient"; required: number; balance: number }
  | LimitReached
  /** The idempotency key was taken after it was looked up. */
  | { status: "key_taken" }
  /** The owner deleted the account in the meantime. */
  | { status: "account_deleted" };

/**
 * Takes the credits for the estimate and writes the run, both or neither, in one statement. Grants that
 * are due are issued before too few credits are reported.
 *
 * The account is locked before the row is made. Nobody else can hold a lock on a row that doesn't exist
 * yet, and whoever makes one for the same key holds this account first. So the two can't deadlock.
 */
export async function reserveRun(
  reservation: Reservation,
  db: DatabaseOrTransaction = getDb(),
): Promise<ReserveResult> {
  const reserved = await reserve(reservation, db);
  if (reserved.status !== "insufficient") return reserved;
  // Again even if nothing was issued here: another request may have issued it while this one waited.
  await issueGrantsOf(reservation.accountId, db);
  return reserve(reservation, db);
}

/** Attempts that other runs, limits and grants of the account may spoil by changing it meanwhile. */
const MOST_ATTEMPTS = 10;

async function reserve(
  reservation: Reservation,
  db: DatabaseOrTransaction,
  attempt = 1,
): Promise<ReserveResult> {
  const {
    accountId,
    apiKeyId = null,
    action,
    units,
    idempotencyKey,
    isAsynchronous,
    own,
  } = reservation;
  const runId = randomUUID();
  const source = runSource({ id: runId, action });
  const amount = creditsFor(action, units);
  const counted = { accountId, apiKeyId, amount, createdAt: null };
  const attachedRow = {
    name: `reserve_${own.name}${isAsynchronous ? "_job" : ""}`,
    condition: Prisma.sql`NOT EXISTS (
      SELECT 1 FROM metered_runs
      WHERE account_id = ${accountId}::uuid AND action = ${action}
        AND idempotency_key = ${idempotencyKey})
      AND ${passesNoLimit(counted)} AND ${hasOwner(accountId)}`,
    step: Prisma.sql`${insertRun(runId, amount, reservation)}${own.step}${
      isAsynchronous ? safetyJob(runId) : Prisma.empty
    }${crossingSteps(counted)}`,
  };
  const spent = await spendCredits(
    { userId: accountId, amount, source, reference: runId, attachedRow },
    db,
  );
  if (spent.status === "spent") return { status: "reserved", runId };
  if (spent.status === "duplicate") throw new Error(`${source} was spent before it was made`);
  if (await isKeyTaken(reservation, db)) return { status: "key_taken" };
  if (spent.balance < amount) return spent;
  const reached = await refuseByLimit(counted, db);
  if (reached) return reached;
  if (await isDeleted(accountId, db)) return { status: "account_deleted" };
  // Without a limit now, it was raised meanwhile, or another run gave credits back.
  if (attempt < MOST_ATTEMPTS) return reserve(reservation, db, attempt + 1);
  throw new Error(
    `account ${accountId}: its lots hold ${spent.balance} credits, and ${amount} can't be taken: see \`npm run ledger -- verify\``,
  );
}

/**
 * SQL condition: the account's owner hasn't deleted it. A deletion locks the owner's row, so one of the two waits for
 * the other at the row's key lock. A reservation that waited checks the tombstone's row, and takes nothing; a deletion
 * that waited sees the run. If the deletion locked the account too, it would deadlock with deductions, which hold the
 * account when they come for the owner's row.
 */
const hasOwner = (accountId: string): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT 1 FROM users WHERE id = ${accountId}::uuid AND NOT ${IS_TOMBSTONE} FOR KEY SHARE)`;

async function isDeleted(accountId: string, db: DatabaseOrTransaction): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${accountId}::uuid AND ${IS_TOMBSTONE}`;
  return rows.length === 1;
}

/** The job that begins the run should this process not live to do so. */
const safetyJob = (runId: string) =>
  laterJobStep("runs", { data: { runId }, startAfter: LEASE_SECONDS + 1 }, Prisma.sql`run`);

function insertRun(runId: string, credits: number, reservation: Reservation): Prisma.Sql {
  const { actorId, apiKeyId, action, units, idempotencyKey, requestHash } = reservation;
  const { isAsynchronous, deadlineSeconds } = reservation;
  const leaseSeconds = Math.min(LEASE_SECONDS, deadlineSeconds);
  const { price } = ACTIONS[action];
  return Prisma.sql`, run AS (
    INSERT INTO metered_runs
      (id, account_id, actor_id, api_key_id, action, idempotency_key, request_hash, unit_credits, unit_size,
       least_credits, units_reserved, credits_reserved, asynchronous, lease_until, deadline_at)
    SELECT ${runId}::uuid, user_id, ${actorId}::uuid, ${apiKeyId ?? null}::uuid, ${action}, ${idempotencyKey}, ${requestHash},
      ${price.credits}::int, ${price.per}::int, ${price.least}::int, ${units}::int, ${credits}::int, ${isAsynchronous}::boolean,
      now() + make_interval(secs => ${leaseSeconds}::float8),
      now() + make_interval(secs => ${deadlineSeconds}::float8)
    FROM movement
    RETURNING id
  )`;
}

async function isKeyTaken(
  { accountId, action, idempotencyKey }: Reservation,
  db: DatabaseOrTransaction,
): Promise<boolean> {
  if (idempotencyKey === null) return false;
  const row = await db.meteredRun.findUnique({
    where: { accountId_action_idempotencyKey: { accountId, action, idempotencyKey } },
    select: { id: true },
  });
  return row !== null;
}
