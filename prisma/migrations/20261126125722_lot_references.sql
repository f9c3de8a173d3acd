-- no-transaction
-- The lots of an order or a period, for what one of their credits cost.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "credit_transactions_lot_reference_idx" ON "credit_transactions" ("reference")
    WHERE "remaining" IS NOT NULL AND "reference" IS NOT NULL;
