-- no-transaction
-- The same for accounts.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_created_at_idx" ON "users" USING brin ("created_at");
