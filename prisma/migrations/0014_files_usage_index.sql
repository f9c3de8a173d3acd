-- no-transaction
-- The sum of lock_storage_usage() reads this index alone. Deleted and rejected files are not in it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "files_usage_idx" ON "files" ("user_id") INCLUDE ("size", "thumbnail_bytes", "status")
    WHERE "deleted_at" IS NULL AND "status" IN ('pending', 'confirmed');
