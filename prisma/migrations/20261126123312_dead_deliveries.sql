-- no-transaction
-- Operators and metrics count the dead ones, and maintenance drops the bytes of old ones, among millions that are processed.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_inbox_dead_idx" ON "webhook_inbox" ("received_at") WHERE "status" = 'dead';
