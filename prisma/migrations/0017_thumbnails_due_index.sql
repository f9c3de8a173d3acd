-- no-transaction
-- Pictures whose thumbnails wait to be made, which are few at any time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "files_thumbnails_due_idx" ON "files" ("thumbnails_due_at")
    WHERE "thumbnails_due_at" IS NOT NULL;
