-- no-transaction
-- The same for runs, which are summed by the day they began on.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "metered_runs_created_at_idx" ON "metered_runs"
    USING brin ("created_at");
