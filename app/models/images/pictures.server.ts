import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { isUuid } from "~/utils/uuid";

interface Picture {
  userId: string;
  generationId: string;
  /** Place among the generation's images, from 0. */
  index: number;
}

/** Whether this image of the owner's generation lies in the database: it does without storage, for a day. */
export async function hasPicture(
  { userId, generationId, index }: Picture,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  if (!isUuid(generationId)) return false;
  const [row] = await db.$queryRaw<{ found: boolean | null }[]>`
    SELECT images -> ${index}::int ->> 'url' LIKE 'data:%' AS found FROM image_generations
    WHERE id = ${generationId}::uuid AND user_id = ${userId}::uuid`;
  return row?.found === true;
}

/** The image as the data URL that its provider gave, or null where none lies in the database. */
export async function readPicture(
  { userId, generationId, index }: Picture,
  db: DatabaseOrTransaction = getDb(),
): Promise<string | null> {
  if (!isUuid(generationId)) return null;
  const [row] = await db.$queryRaw<{ url: string | null }[]>`
    SELECT images -> ${index}::int ->> 'url' AS url FROM image_generations
    WHERE id = ${generationId}::uuid AND user_id = ${userId}::uuid`;
  return row?.url?.startsWith("data:") ? row.url : null;
}
