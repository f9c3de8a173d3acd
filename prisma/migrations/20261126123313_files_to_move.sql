-- no-transaction
-- What maintenance moves to another access, among all files.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "files_to_move_idx" ON "files" ("created_at") WHERE "wanted_access" IS NOT NULL;
