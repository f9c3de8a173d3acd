-- AlterTable
ALTER TABLE "files" ADD COLUMN     "height" INTEGER,
ADD COLUMN     "thumbnail_bytes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "thumbnail_widths" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
ADD COLUMN     "width" INTEGER;
