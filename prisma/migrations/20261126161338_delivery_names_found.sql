-- no-transaction
-- Finds the deliveries of a person among millions. Rows whose payload was dropped have no names.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_inbox_names_idx" ON "webhook_inbox" USING GIN ("names");
