import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { MADE } from "~/models/images/generations.server";

/** A prompt, and the latest run that used it. */
export interface EarlierPrompt {
  generationId: string;
  prompt: string;
}

const LOOKED_AT = 50;
const SHOWN = 8;

/** The person's latest prompts, each once, newest first. */
export function listPrompts(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<EarlierPrompt[]> {
  const statement = Prisma.sql`
    SELECT id AS "generationId", prompt FROM (
      SELECT DISTINCT ON (prompt) id, prompt, created_at FROM (
        SELECT run.id, prompt, run.created_at FROM ${MADE}
        WHERE run.account_id = ${userId}::uuid AND run.action = 'image'
        ORDER BY run.created_at DESC, run.id DESC LIMIT ${LOOKED_AT}
      ) AS latest
      ORDER BY prompt, created_at DESC
    ) AS prompts
    ORDER BY created_at DESC LIMIT ${SHOWN}`;
  return queryPrepared<EarlierPrompt>("list_prompts", statement, db);
}

/** With fewer runs nothing is called usual. */
const LEAST_RUNS = 3;

/** The seconds that the person's latest successful runs took, half of them longer; null if there are too few. */
export async function usualSeconds(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<number | null> {
  const statement = Prisma.sql`
    SELECT count(*)::int AS runs,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM settled_at - created_at))::float8 AS seconds
    FROM (
      SELECT settled_at, created_at FROM metered_runs
      WHERE account_id = ${userId}::uuid AND action = 'image' AND status = 'settled'
      ORDER BY created_at DESC, id DESC LIMIT 20
    ) AS latest`;
  const [row] = await queryPrepared<{ runs: number; seconds: number | null }>(
    "usual_seconds",
    statement,
    db,
  );
  return row && row.runs >= LEAST_RUNS ? row.seconds : null;
}

/** Returns the prompt of a generated file; null for an upload and for somebody else's file. */
export async function promptOfFile(
  { fileId, userId }: { fileId: string; userId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<string | null> {
  const [row] = await db.$queryRaw<{ prompt: string }[]>`
    SELECT prompt FROM files JOIN image_generations image ON image.id = files.generation_id
    WHERE files.id = ${fileId}::uuid AND files.user_id = ${userId}::uuid`;
  return row?.prompt ?? null;
}
