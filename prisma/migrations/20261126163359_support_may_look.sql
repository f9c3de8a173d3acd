-- AlterTable
ALTER TABLE "users" ADD COLUMN     "support_until" TIMESTAMPTZ(6);
