import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { MeteredRunStatus } from "~/generated/prisma/enums";
import type { RunFault } from "~/models/metering/runs.server";
import type { GenerationRequest } from "~/services/images/generation-request";
import { isUuid } from "~/utils/uuid";

/** A stored image. `fileId` is set if our own store has it. */
export interface StoredImage {
  /** Permanent; null for a private image of our own store, whose address is signed when it is asked for. */
  url: string | null;
  persisted: boolean;
  fileId: string | null;
}

/** A run for images as its owner sees it. Amounts are in credits. */
export interface Generation {
  id: string;
  prompt: string;
  n: number;
  size: string;
  cost: number;
  status: MeteredRunStatus;
  provider: string | null;
  /** Providers that were asked before and delivered nothing. */
  passedOver: string[];
  images: StoredImage[];
  /** Credits charged, net of refunds; 0 until it is settled. */
  creditsCharged: number;
  /** Spendable credits when it was settled; null until then. */
  balanceAfter: number | null;
  error: RunFault | null;
  createdAt: Date;
}

/** SQL: the columns of a `Generation` but its images, from `MADE`. */
export const GENERATION = Prisma.sql`
  image.id, prompt, n, size, run.credits_reserved AS cost, run.status, run.provider, coalesce(image.passed_over, '{}') AS "passedOver", run.credits_charged AS "creditsCharged", run.balance_after AS "balanceAfter",
  run.error, run.created_at AS "createdAt"`;

/** SQL: the tables of a generation. */
export const MADE = Prisma.sql`metered_runs run JOIN image_generations image ON image.id = run.id`;

/**
 * The owner's generation with complete images, including data URLs, as the JSON API returns it; null
 * for somebody else's or a malformed id. Pages and lists use the listed form.
 */
export async function getGeneration(
  { generationId, accountId }: { generationId: string; accountId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<Generation | null> {
  if (!isUuid(generationId)) return null;
  const statement = Prisma.sql`
    SELECT ${GENERATION}, image.images FROM ${MADE}
    WHERE run.id = ${generationId}::uuid AND run.account_id = ${accountId}::uuid`;
  const [row] = await queryPrepared<Generation>("get_generation", statement, db);
  return row ?? null;
}

/** A request's fields, in the order in which they are hashed. */
export const requestFields = ({ prompt, n, size }: GenerationRequest) => [prompt, n, size];
