import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { GalleryImage } from "~/models/images/gallery-image";
import { GENERATION, type Generation, MADE } from "~/models/images/generations.server";
import { pageUrls } from "~/models/images/image-urls.server";
import { IS_LOST } from "~/models/metering/leases.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
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
  images: (Omit<GalleryImage, "url" | "thumbnails"> & {
    /** Null if the image is stored in the database or is private. */
    url: string | null;
    key: string | null;
    contentType: string | null;
    filename: string | null;
    thumbnailWidths: number[];
  })[];
}

/** The database leaves out the data URLs, which are megabytes, and images whose file was deleted. */
const SHOWN = Prisma.sql`
  ${GENERATION},
  extract(epoch FROM coalesce(run.settled_at, now()) - run.created_at)::float8 AS seconds,
  ${IS_LOST} AS "isAbandoned",
  (SELECT coalesce(jsonb_agg(jsonb_build_object(
       'index', at - 1,
       'url', CASE WHEN kept.image ->> 'url' NOT LIKE 'data:%' THEN kept.image ->> 'url' END,
       'persisted', kept.image -> 'persisted', 'fileId', kept.image ->> 'fileId',
       'access', file.access, 'wantedAccess', file.wanted_access,
       'key', file.key, 'contentType', file.content_type, 'filename', file.filename,
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

async function withUrls(row: Row, store: ObjectStore | null): Promise<GalleryGeneration> {
  const images = row.images.map(
    async ({ thumbnailWidths: widths, key, contentType, filename, ...image }) => {
      const url = image.url ?? `/api/images/${row.id}/${image.index}`;
      const { access } = image;
      const picture =
        key && access && contentType && filename ? { key, access, contentType, filename } : null;
      return { ...image, ...(await pageUrls({ url, picture, widths }, store)) };
    },
  );
  return { ...row, images: await Promise.all(images) };
}

interface Owner {
  userId: string;
  /** Signs the addresses of private images; null while storage is off. */
  store: ObjectStore | null;
}

/** A generation in the canvas. */
export interface CanvasGeneration extends GalleryGeneration {
  /** Whether the owner has begun none since. */
  isLatest: boolean;
}

/** The owner's generation; null for somebody else's or a malformed id. */
export async function getShownGeneration(
  { generationId, userId, store }: Owner & { generationId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<CanvasGeneration | null> {
  if (!isUuid(generationId)) return null;
  const statement = Prisma.sql`
    SELECT ${SHOWN}, NOT EXISTS (
      SELECT FROM metered_runs AS later
      WHERE later.account_id = run.account_id AND later.action = 'image'
        AND (later.created_at, later.id) > (run.created_at, run.id)) AS "isLatest"
    FROM ${MADE}
    WHERE run.id = ${generationId}::uuid AND run.account_id = ${userId}::uuid`;
  const [row] = await queryPrepared<Row & { isLatest: boolean }>(
    "get_shown_generation",
    statement,
    db,
  );
  return row ? { ...(await withUrls(row, store)), isLatest: row.isLatest } : null;
}

/** The id of the owner's latest generation that still runs, or null. */
export async function findRunningGeneration(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<string | null> {
  const statement = Prisma.sql`
    SELECT id FROM metered_runs run
    WHERE account_id = ${userId}::uuid AND action = 'image' AND status = 'reserved'
      AND NOT ${IS_LOST}
    ORDER BY created_at DESC LIMIT 1`;
  const [row] = await queryPrepared<{ id: string }>("find_running_generation", statement, db);
  return row?.id ?? null;
}

export interface GalleryPage {
  generations: GalleryGeneration[];
  total: number;
  /** Generations that failed; they are in `total` only if they are listed. */
  failed: number;
}

interface GalleryQuery extends Owner {
  /** Words of the prompt; empty for all. */
  search: string;
  /** Whether failed generations are listed, too. */
  withFailed: boolean;
  offset: number;
  limit: number;
}

/** One page of the owner's generations, newest first, and how many there are in all. */
export async function listGallery(
  { userId, store, search, withFailed, offset, limit }: GalleryQuery,
  db: DatabaseOrTransaction = getDb(),
): Promise<GalleryPage> {
  const isWanted = Prisma.sql`(${withFailed}::boolean OR run.status <> 'refunded')`;
  const isFound = Prisma.sql`
    run.account_id = ${userId}::uuid AND run.action = 'image' AND ${LISTED}
      AND position(lower(${search}::text) IN lower(image.prompt)) > 0`;
  const page = Prisma.sql`
    SELECT ${SHOWN} FROM ${MADE} WHERE ${isFound} AND ${isWanted}
    ORDER BY run.created_at DESC, run.id DESC LIMIT ${limit} OFFSET ${offset}`;
  const all = Prisma.sql`
    SELECT count(*) FILTER (WHERE ${isWanted})::int AS total,
           count(*) FILTER (WHERE run.status = 'refunded')::int AS failed
    FROM ${MADE} WHERE ${isFound}`;
  const [rows, [count]] = await Promise.all([
    queryPrepared<Row>("list_gallery", page, db),
    queryPrepared<{ total: number; failed: number }>("count_gallery", all, db),
  ]);
  const generations = await Promise.all(rows.map((row) => withUrls(row, store)));
  return { generations, total: count?.total ?? 0, failed: count?.failed ?? 0 };
}
