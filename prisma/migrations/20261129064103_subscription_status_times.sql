-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "status_event_at" TIMESTAMPTZ(6);
