import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import {
  GENERATION,
  type Generation,
  MADE,
  type StoredImage,
} from "~/models/images/generations.server";
import { fileAddress } from "~/models/images/image-urls.server";
import type { PageOfRows, Placed } from "~/models/row-pages.server";

/** A generation without the image data stored in its row: without storage that is megabytes per image. */
export interface ListedGeneration extends Omit<Generation, "images"> {
  images: StoredImage[];
}

/**
 * Adds a URL to each image: its own, or the route that signs one for its owner if it is private, or the
 * route that serves the image stored in the database to its owner. `origin` is prefixed to that route; empty for links within the site.
 */
export function withImageUrls(listed: ListedGeneration, origin: string): Generation {
  const images = listed.images.map(({ url, ...image }, index) => ({
    url:
      url ??
      (image.fileId ? fileAddress(image.fileId) : `${origin}/api/images/${listed.id}/${index}`),
    ...image,
  }));
  return { ...listed, images };
}

/** The database strips the data URLs, so they are never sent here. */
const LISTED = Prisma.sql`
  ${GENERATION},
  (SELECT coalesce(jsonb_agg(
     CASE WHEN kept.image ->> 'url' LIKE 'data:%' THEN kept.image || '{"url": null}'
       ELSE kept.image END
     ORDER BY at), '[]')
   FROM jsonb_array_elements(image.images) WITH ORDINALITY AS kept (image, at)) AS images`;

/** These runs' generations. */
export function listGenerations(
  runIds: string[],
  db: DatabaseOrTransaction = getDb(),
): Promise<ListedGeneration[]> {
  return db.$queryRaw`SELECT ${LISTED} FROM ${MADE} WHERE run.id = ANY (${runIds}::uuid[])`;
}

/** One page of the owner's generations made until `until`, oldest first, after the row `after`. */
export function pageGenerations(
  { userId, until, after, limit }: PageOfRows,
  db: DatabaseOrTransaction = getDb(),
): Promise<Placed<ListedGeneration>[]> {
  return db.$queryRaw`
    SELECT ${LISTED}, run.created_at::text AS place FROM ${MADE}
    WHERE run.account_id = ${userId}::uuid AND run.action = 'image'
      AND run.created_at <= ${until}::timestamptz
      AND (run.created_at, run.id) > (${after.place}::timestamptz, ${after.id}::uuid)
    ORDER BY run.created_at, run.id LIMIT ${limit}`;
}
