-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "own_write_at" TIMESTAMPTZ(6);
