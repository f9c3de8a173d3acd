-- AlterTable
ALTER TABLE "files" ADD COLUMN     "lease_token" UUID,
ADD COLUMN     "lease_until" TIMESTAMPTZ(6),
ADD COLUMN     "thumbnail_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "thumbnails_due_at" TIMESTAMPTZ(6);
