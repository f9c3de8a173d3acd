-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "end_confirmed_at" TIMESTAMPTZ(6);
