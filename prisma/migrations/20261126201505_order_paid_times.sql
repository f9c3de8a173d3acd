-- no-transaction
-- A day's payments are found by their time. They are written in its order, so the range of each block is enough.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_paid_at_idx" ON "orders" USING brin ("paid_at");
