import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { GalleryImage } from "~/models/images/gallery-image";
import { GENERATION, type Generation, MADE } from "~/models/images/generations.server";
import { thumbnailKey } from "~/services/storage/thumbnail-key";
import { isUuid } from "~/utils/uuid";

/** A generation as its owner's pages show it. */
export interface GalleryGeneration extends Omit<Generation, "images"> {
  images: GalleryImage[];
  /** How long it took, or has taken so far. */
  seconds: number;
  /** Its process died; maintenance will refund it. */
  isAbandoned: boolean;
}

interface Row extends Omit<GalleryGeneration, "images"> {
  /** `url` is null if the image is stored in the database. */
  images: (Omit<GalleryImage, "url" | "thumbnails"> & {
    url: string | null;
    thumbnailWidths: number[];
  })[];
}

/** The database leaves out the data URLs, which are megabytes, and images whose file was deleted. */
const SHOWN = Prisma.sql`
  ${GENERATION},
  extract(epoch FROM coalesce(run.settled_at, now()) - run.created_at)::float8 AS seconds,
  (run.status = 'reserved' AND run.lease_until <= now()) AS "isAbandoned",
  (SELECT coalesce(jsonb_agg(jsonb_build_object(
       'index', at - 1,
       'url', CASE WHEN kept.image ->> 'url' NOT LIKE 'data:%' THEN kept.image ->> 'url' END,
       'persisted', kept.image -> 'persisted', 'fileId', kept.image ->> 'fileId',
       'width', file.width, 'height', file.height,
       'thumbnailWidths', coalesce(to_jsonb(file.thumbnail_widths), '[]')) ORDER BY at), '[]')
   FROM jsonb_array_elements(image.images) WITH ORDINALITY AS kept (image, at)
     LEFT JOIN files AS file
       ON file.id = (kept.image ->> 'fileId')::uuid AND file.deleted_at IS NULL
   WHERE kept.image ->> 'fileId' IS NULL OR file.id IS NOT NULL) AS images`;

/** Generations whose images were all deleted by their owner are not listed. */
const LISTED = Prisma.sql`
  (jsonb_array_length(image.images) = 0 OR EXISTS (
    SELECT FROM jsonb_array_elements(image.images) AS kept (image)
      LEFT JOIN files AS file
        ON file.id = (kept.image ->> 'fileId')::uuid AND file.deleted_at IS NULL
    WHERE kept.image ->> 'fileId' IS NULL OR file.id IS NOT NULL))`;

function withUrls(row: Row): GalleryGeneration {
  const images = row.images.map(({ thumbnailWidths, ...image }) => {
    const url = image.url ?? `/api/images/${row.id}/${image.index}`;
    const thumbnails = thumbnailWidths.map((width) => ({ url: thumbnailKey(url, width), width }));
    return { ...image, url, thumbnails };
  });
  return { ...row, images };
}

/** The owner's generation; null for somebody else's or a malformed id. */
export async function getShownGeneration(
  { generationId, userId }: { generationId: string; userId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<GalleryGeneration | null> {
  if (!isUuid(generationId)) return null;
  const statement = Prisma.sql`
    SELECT ${SHOWN} FROM ${MADE}
    WHERE run.id = ${generationId}::uuid AND run.account_id = ${userId}::uuid`;
  const [row] = await queryPrepared<Row>("get_shown_generation", statement, db);
  return row ? withUrls(row) : null;
}

/** The id of the owner's latest generation that still runs, or null. */
export async function findRunningGeneration(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<string | null> {
  const statement = Prisma.sql`
    SELECT id FROM metered_runs
    WHERE account_id = ${userId}::uuid AND action = 'image' AND status = 'reserved'
      AND lease_until > now()
    ORDER BY created_at DESC LIMIT 1`;
  const [row] = await queryPrepared<{ id: string }>("find_running_generation", statement, db);
  return row?.id ?? null;
}

export interface GalleryPage {
  generations: GalleryGeneration[];
  total: number;
}

/** One page of the owner's generations, newest first, and how many there are in all. */
export async function listGallery(
  { userId, offset, limit }: { userId: string; offset: number; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<GalleryPage> {
  const page = Prisma.sql`
    SELECT ${SHOWN} FROM ${MADE}
    WHERE run.account_id = ${userId}::uuid AND run.action = 'image' AND ${LISTED}
    ORDER BY run.created_at DESC, run.id DESC LIMIT ${limit} OFFSET ${offset}`;
  const all = Prisma.sql`
    SELECT count(*)::int AS total FROM ${MADE}
    WHERE run.account_id = ${userId}::uuid AND run.action = 'image' AND ${LISTED}`;
  const [rows, [count]] = await Promise.all([
    queryPrepared<Row>("list_gallery", page, db),
    queryPrepared<{ total: number }>("count_gallery", all, db),
  ]);
  return { generations: rows.map(withUrls), total: count?.total ?? 0 };
}
