import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { getEnv } from "~/env.server";
import { Prisma } from "~/generated/prisma/client";
import type { NewFile, OwnedFile } from "~/models/files/files.server";
import {
  type CountedUse,
  countUse,
  limited,
  type RateLimited,
  type RateLimitRule,
  usesAllowed,
} from "~/models/rate-limits.server";

/** Unconfirmed uploads that one user may have at a time. */
const MAX_PENDING_FILES = 20;

/** Why a file was not recorded. Sizes in bytes. */
export type QuotaRefusal =
  | { status: "quota_exceeded"; quota: number; used: number; required: number }
  | { status: "too_many_pending"; limit: number; pending: number };

type Upload = Pick<NewFile, "userId" | "key" | "filename" | "contentType" | "size" | "access">;

type Reservation = { status: "reserved"; file: OwnedFile } | QuotaRefusal;

/**
 * Records an upload if it fits into the owner's remaining `STORAGE_QUOTA_MB`. Pending files count with
 * their declared size. Generated images and thumbnails count. Deleted and rejected files do not.
 */
export async function reserveFile(
  upload: Upload,
  db: DatabaseOrTransaction = getDb(),
): Promise<Reservation> {
  const row = await reserve({ name: "reserve_file", upload, counted: UNCOUNTED, allowed: 0 }, db);
  return reservationOf(upload, row);
}

/** Counts a use of the rule and then does the same, unless the use is beyond the limit. */
export async function reserveLimitedFile(
  { upload, rule }: { upload: Upload; rule: RateLimitRule },
  db: DatabaseOrTransaction = getDb(),
): Promise<Reservation | RateLimited> {
  const steps = { counted: countUse(rule), allowed: usesAllowed(rule) };
  const row = await reserve({ name: "reserve_limited_file", upload, ...steps }, db);
  return row.used === null ? limited(row) : reservationOf(upload, row);
}

const UNCOUNTED = Prisma.sql`SELECT 0 AS count, 0 AS "secondsLeft"`;

/** One row of `reserve`: null are the columns of the steps that were not reached. */
interface Reserved extends CountedUse {
  used: number | null;
  pending: number | null;
  id: string | null;
  createdAt: Date | null;
}

/**
 * Takes one round trip. Read committed: A locks the user's row, sees 195 MB used and records 5 MB. B
 * waits for the lock, sees 200 MB and is refused. The lock does not block inserting rows that refer to
 * the user. It and the sum are in a function of the database (migration 0013), where each statement sees
 * what was committed before it began.
 */
async function reserve(
  {
    name,
    upload: { userId, key, filename, contentType, size, access },
    counted,
    allowed,
  }: { name: string; upload: Upload; counted: Prisma.Sql; allowed: number },
  db: DatabaseOrTransaction,
): Promise<Reserved> {
  // MATERIALIZED: otherwise the planner may lock the row before it looks at the limit.
  const statement = Prisma.sql`
    WITH counted AS (${counted}),
    admitted AS MATERIALIZED (
      SELECT ${userId}::uuid AS owner FROM counted WHERE count <= ${allowed}::float8
    ),
    usage AS (
      SELECT owner, used, pending FROM admitted, lock_storage_usage(owner)
    ),
    reserved AS (
      INSERT INTO files (user_id, key, filename, content_type, size, access)
      SELECT owner, ${key}, ${filename}, ${contentType}, ${size}::int, ${access}::file_access
      FROM usage
      WHERE pending < ${MAX_PENDING_FILES}::int
        AND used + ${size}::int <= ${getEnv().storageQuotaBytes}::float8
      RETURNING id, created_at
    )
    SELECT count, "secondsLeft", used::float8 AS used, pending, id, created_at AS "createdAt"
    FROM counted LEFT JOIN usage ON true LEFT JOIN reserved ON true`;
  const [row] = await queryPrepared<Reserved>(name, statement, db);
  if (!row) throw new Error("files: the reservation gave no row");
  return row;
}

function reservationOf(upload: Upload, { used, pending, id, createdAt }: Reserved): Reservation {
  if (used === null || pending === null) throw new Error("files: the usage gave no row");
  if (id !== null && createdAt !== null) {
    const { userId: _, ...stored } = upload;
    const atDefault = {
      status: "pending" as const,
      width: null,
      height: null,
      thumbnailWidths: [],
    };
    return { status: "reserved", file: { ...stored, id, createdAt, ...atDefault } };
  }
  if (pending >= MAX_PENDING_FILES)
    return { status: "too_many_pending", limit: MAX_PENDING_FILES, pending };
  const quota = getEnv().storageQuotaBytes;
  return { status: "quota_exceeded", quota, used, required: upload.size };
}
