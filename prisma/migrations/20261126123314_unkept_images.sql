-- no-transaction
-- Images that storage didn't take, among all that were made.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "image_generations_unkept_idx" ON "image_generations" ("created_at")
    WHERE "images"::text LIKE '%"persisted": false%';
