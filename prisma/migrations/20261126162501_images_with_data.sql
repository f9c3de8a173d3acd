-- no-transaction
-- Images whose data is kept in their row. The index so far is on a column that goes.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "image_generations_with_data_idx" ON "image_generations" ("id")
    WHERE "images"::text LIKE '%"data:%';
