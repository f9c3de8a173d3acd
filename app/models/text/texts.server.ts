import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { MeteredRunStatus } from "~/generated/prisma/enums";
import type { OwnStep } from "~/models/metering/reserve.server";
import type { RunFault } from "~/models/metering/runs.server";
import type { Usage } from "~/services/text/text-writer";

/**
 * Why a text ended: by itself, at the limit that was asked for, with the credits, at a limit of the account, or
 * broken off.
 */
export type FinishReason = "stop" | "length" | "credits" | "limit" | "interrupted";

export interface WrittenText {
  text: string;
  finishReason: FinishReason;
  usage: Usage;
}

/** Keeps what was asked for. */
export const keepRequest = (
  userId: string,
  { prompt, maxTokens = null }: { prompt: string; maxTokens?: number | null | undefined },
): OwnStep => ({
  name: "text",
  step: Prisma.sql`, text AS (
    INSERT INTO text_generations (id, user_id, prompt, max_tokens)
    SELECT run.id, ${userId}::uuid, ${prompt}, ${maxTokens}::int FROM run
  )`,
});

/** The request of a run. */
export function getTextRequest(
  runId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ prompt: string; maxTokens: number | null }> {
  return db.textGeneration.findUniqueOrThrow({
    where: { id: runId },
    select: { prompt: true, maxTokens: true },
  });
}

/** Keeps the text so far, for those who read along. */
export async function keepPart(
  { runId, text }: { runId: string; text: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`
    UPDATE text_generations SET text = ${text} WHERE id = ${runId}::uuid AND finish_reason IS NULL`;
}

/** The text so far, and whether the run goes on; null for another's run, or one whose text was deleted. */
export async function getPart(
  { runId, accountId }: { runId: string; accountId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<{ text: string; isRunning: boolean } | null> {
  const statement = Prisma.sql`
    SELECT made.text, run.status = 'reserved' AS "isRunning"
    FROM metered_runs run JOIN text_generations made USING (id)
    WHERE run.id = ${runId}::uuid AND run.account_id = ${accountId}::uuid`;
  const [part] = await queryPrepared<{ text: string; isRunning: boolean }>(
    "get_part",
    statement,
    db,
  );
  return part ?? null;
}

/** Keeps the result. */
export const keepText = ({ text, finishReason, usage }: WrittenText): OwnStep => ({
  name: "text",
  step: Prisma.sql`, text AS (
    UPDATE text_generations made SET text = ${text}, finish_reason = ${finishReason},
      input_tokens = ${usage.inputTokens}::int, output_tokens = ${usage.outputTokens}::int
    FROM settled WHERE made.id = settled.id
  )`,
});

/** The result of a settled run; null once its owner deleted it. */
export async function getText(
  { runId, accountId }: { runId: string; accountId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<WrittenText | null> {
  const statement = Prisma.sql`
    SELECT text, finish_reason AS "finishReason",
      jsonb_build_object('inputTokens', input_tokens, 'outputTokens', output_tokens) AS usage
    FROM text_generations made JOIN metered_runs run USING (id)
    WHERE run.id = ${runId}::uuid AND run.account_id = ${accountId}::uuid AND finish_reason IS NOT NULL`;
  const [text] = await queryPrepared<WrittenText>("get_text", statement, db);
  return text ?? null;
}

/** The results of several runs; those that their owner deleted are left out. */
export function listResults(
  runIds: string[],
  db: DatabaseOrTransaction = getDb(),
): Promise<(Pick<WrittenText, "text" | "finishReason"> & { runId: string })[]> {
  return db.$queryRaw`
    SELECT id AS "runId", text, finish_reason AS "finishReason"
    FROM text_generations WHERE id = ANY (${runIds}::uuid[]) AND finish_reason IS NOT NULL`;
}

/** A text as its owner's page shows it. */
export interface ShownText {
  id: string;
  prompt: string;
  text: string;
  finishReason: FinishReason | null;
  status: MeteredRunStatus;
  error: RunFault | null;
  creditsCharged: number;
}

/** The owner's latest texts, and the named one first, wherever it stands. */
export function listTexts(
  { userId, runId, limit }: { userId: string; runId: string | null; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<ShownText[]> {
  return db.$queryRaw`
    SELECT id, prompt, text, finish_reason AS "finishReason", run.status, run.error,
      run.credits_charged AS "creditsCharged"
    FROM text_generations made JOIN metered_runs run USING (id)
    WHERE made.user_id = ${userId}::uuid
    ORDER BY id IS NOT DISTINCT FROM ${runId}::uuid DESC, made.created_at DESC, id DESC LIMIT ${limit}`;
}

/** Deletes a text that has ended. What was paid for it stays in the history. */
export async function deleteText(
  { userId, runId }: { userId: string; runId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.textGeneration.deleteMany({
    where: { id: runId, userId, run: { status: { not: "reserved" } } },
  });
}
