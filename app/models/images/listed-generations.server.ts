import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { Generation, StoredImage } from "~/models/images/generations.server";
import type { PageOfRows, Placed } from "~/models/row-pages.server";

/** `url` is null if the image is stored in the database. */
interface ListedImage extends Omit<StoredImage, "url"> {
  url: string | null;
}

/** A generation without the image data stored in its row: without storage that is megabytes per image. */
export interface ListedGeneration extends Omit<Generation, "images"> {
  images: ListedImage[];
}

/**
 * Adds a URL to each image: its own, or the route that serves the image stored in the database to its
 * owner. `origin` is prefixed to that route; empty for links within the site.
 */
export function withImageUrls(listed: ListedGeneration, origin: string): Generation {
  const images = listed.images.map(({ url, ...image }, index) => ({
    url: url ?? `${origin}/api/images/${listed.id}/${index}`,
    ...image,
  }));
  return { ...listed, images };
}

/** The database strips the data URLs, so they are never sent here. */
const LISTED = Prisma.sql`
  id, prompt, n, size, cost, status, provider, credits_charged AS "creditsCharged",
  balance_after AS "balanceAfter", error, created_at AS "createdAt",
  (SELECT coalesce(jsonb_agg(
     CASE WHEN image ->> 'url' LIKE 'data:%' THEN image || '{"url": null}' ELSE image END
     ORDER BY at), '[]')
   FROM jsonb_array_elements(images) WITH ORDINALITY AS kept (image, at)) AS images`;

/** One page of the owner's generations made until `until`, oldest first, after the row `after`. */
export function pageGenerations(
  { userId, until, after, limit }: PageOfRows,
  db: DatabaseOrTransaction = getDb(),
): Promise<Placed<ListedGeneration>[]> {
  return db.$queryRaw`
    SELECT ${LISTED}, created_at::text AS place FROM image_generations
    WHERE user_id = ${userId}::uuid AND created_at <= ${until}::timestamptz
      AND (created_at, id) > (${after.place}::timestamptz, ${after.id}::uuid)
    ORDER BY created_at, id LIMIT ${limit}`;
}
