import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { MADE } from "~/models/images/generations.server";
import { isUuid } from "~/utils/uuid";

interface Picture {
  userId: string;
  generationId: string;
  /** Position among the generation's images, from 0. */
  index: number;
}

/** Whether this image of the owner's generation is in the database: without storage it is, for a day. */
export async function hasPicture(
  { userId, generationId, index }: Picture,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  if (!isUuid(generationId)) return false;
  const [row] = await db.$queryRaw<{ found: boolean | null }[]>`
    SELECT image.images -> ${index}::int ->> 'url' LIKE 'data:%' AS found FROM ${MADE}
    WHERE run.id = ${generationId}::uuid AND run.account_id = ${userId}::uuid`;
  return row?.found === true;
}

/** The image as its provider's data URL, or null if the database does not have it. */
export async function readPicture(
  { userId, generationId, index }: Picture,
  db: DatabaseOrTransaction = getDb(),
): Promise<string | null> {
  if (!isUuid(generationId)) return null;
  const [row] = await db.$queryRaw<{ url: string | null }[]>`
    SELECT image.images -> ${index}::int ->> 'url' AS url FROM ${MADE}
    WHERE run.id = ${generationId}::uuid AND run.account_id = ${userId}::uuid`;
  return row?.url?.startsWith("data:") ? row.url : null;
}
