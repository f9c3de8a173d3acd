-- no-transaction
-- Crossings of which nobody was told yet, which are few at any time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "crossings_untold_idx" ON "crossings" ("created_at") WHERE "told_at" IS NULL;
