-- no-transaction
-- Images that storage didn't take. The index so far is on a column that goes.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "image_generations_not_kept_idx" ON "image_generations" ("id")
    WHERE "images"::text LIKE '%"persisted": false%';
