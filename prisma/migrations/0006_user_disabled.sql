-- AlterTable
ALTER TABLE "users" ADD COLUMN     "disabled_at" TIMESTAMPTZ(6);

-- Maintenance looks for sessions that nobody has used for two weeks.
-- Before the first release no table is long enough for anybody to wait.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "sessions_last_seen_at_idx" ON "sessions"("last_seen_at");
