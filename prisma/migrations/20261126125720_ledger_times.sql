-- no-transaction
-- Rows are written in the order of time, so the range of each block is enough. It costs a write next to nothing.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "credit_transactions_created_at_idx" ON "credit_transactions"
    USING brin ("created_at");
