-- no-transaction
-- The same for periods, by the time that `PAYMENT` in app/models/figures/payments.server.ts counts.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "subscription_periods_paid_idx" ON "subscription_periods"
    USING brin ((coalesce("paid_at", "created_at")));
