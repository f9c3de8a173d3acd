-- AlterTable
ALTER TABLE "webhook_inbox" ADD COLUMN     "names" TEXT[] DEFAULT ARRAY[]::TEXT[];
