import type { ActionEntry, ActionKey } from "~/catalog";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { LEASE_SECONDS } from "~/models/metering/leases.server";
import { RUN, type Run } from "~/models/metering/runs.server";

/** A run whose process is gone, and how far it came. Times are by the database's clock. */
export interface FoundRun extends Run {
  /** The price kept with it. */
  price: ActionEntry["price"];
  /** Null if it was never begun. */
  providerRequestId: string | null;
  /** The calls so far, in the action's own words. The last one is open. */
  attempts: unknown[];
  /** Milliseconds from its reservation to its deadline. */
  totalMs: number;
  /** Milliseconds since its reservation. */
  elapsedMs: number;
  /** Milliseconds since its last call left; 0 if there was none. */
  callElapsedMs: number;
}

interface Claim {
  /** Only these runs; by default any. */
  runIds?: string[];
  action: ActionKey;
  /** The providers at which this process can fetch a result. */
  providers: string[];
  limit: number;
}

/**
 * Takes over up to `limit` runs whose lease is over: those that a provider knows, to fetch their results, and
 * asynchronous ones that were never begun. Many processes may ask at once, and each run goes to one of them.
 */
export function claimRuns(
  { action, providers, limit, runIds }: Claim,
  db: DatabaseOrTransaction = getDb(),
): Promise<FoundRun[]> {
  return db.$queryRaw`
    UPDATE metered_runs run
    SET lease_until = least(deadline_at, now() + make_interval(secs => ${LEASE_SECONDS}::float8))
    FROM (
      SELECT id FROM metered_runs
      WHERE status = 'reserved' AND lease_until <= now() AND deadline_at > now() AND action = ${action}
        AND (${runIds ?? null}::uuid[] IS NULL OR id = ANY (${runIds ?? null}::uuid[]))
        AND CASE WHEN provider_request_id IS NULL THEN asynchronous AND called_at IS NULL
          ELSE provider = ANY (${providers}::text[]) END
      ORDER BY lease_until LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) AS due
    WHERE run.id = due.id
    RETURNING ${RUN}, jsonb_build_object('credits', unit_credits, 'per', unit_size, 'least', least_credits) AS price,
      run.provider_request_id AS "providerRequestId", run.attempts,
      extract(epoch FROM run.deadline_at - run.created_at)::float8 * 1000 AS "totalMs",
      extract(epoch FROM now() - run.created_at)::float8 * 1000 AS "elapsedMs",
      coalesce(extract(epoch FROM now() - (run.attempts -> -1 ->> 'calledAt')::timestamptz), 0)::float8
        * 1000 AS "callElapsedMs"`;
}
