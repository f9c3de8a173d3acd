import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";

interface LeavingCall {
  runId: string;
  provider: string;
  model: string;
  /** The calls before it and what became of each, in the action's own words. */
  attempts: readonly object[];
}

/**
 * Keeps a call before it leaves. Returns false, with nothing changed, if the run has ended, its deadline is
 * over, or another process made a call since: whoever is told so must not make this one.
 */
export async function keepCall(
  { runId, provider, model, attempts }: LeavingCall,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  const statement = Prisma.sql`
    UPDATE metered_runs SET called_at = coalesce(called_at, now()), provider = ${provider}, model = ${model},
      provider_request_id = NULL,
      attempts = ${JSON.stringify(attempts)}::jsonb || jsonb_build_object('calledAt', now())
    WHERE id = ${runId}::uuid AND status = 'reserved' AND deadline_at > now()
      AND jsonb_array_length(attempts) = ${attempts.length}::int
    RETURNING id`;
  return (await queryPrepared<{ id: string }>("keep_call", statement, db)).length === 1;
}

/**
 * Keeps that the run's last call brought nothing, before the run is left between two calls: a process then begins with
 * the next one. A synchronous run stays as it is, since nobody else begins one.
 */
export async function keepPause(
  { runId, attempts }: Pick<LeavingCall, "runId" | "attempts">,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`
    UPDATE metered_runs SET called_at = NULL, provider_request_id = NULL,
      attempts = ${JSON.stringify(attempts)}::jsonb
    WHERE id = ${runId}::uuid AND status = 'reserved' AND asynchronous
      AND jsonb_array_length(attempts) = ${attempts.length}::int`;
}

/**
 * Keeps the id under which the provider has accepted the run's last call. Returns false, with nothing changed,
 * if the run has ended or another process made a call since.
 */
export async function keepRequestId(
  { runId, requestId, calls }: { runId: string; requestId: string; calls: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  const statement = Prisma.sql`
    UPDATE metered_runs SET provider_request_id = ${requestId}
    WHERE id = ${runId}::uuid AND status = 'reserved' AND jsonb_array_length(attempts) = ${calls}::int
    RETURNING id`;
  return (await queryPrepared<{ id: string }>("keep_request_id", statement, db)).length === 1;
}
