-- AlterTable
ALTER TABLE "users" ADD COLUMN     "image_access" "file_access" NOT NULL DEFAULT 'public';

-- AlterTable
ALTER TABLE "files" ADD COLUMN     "generation_id" UUID,
ADD COLUMN     "wanted_access" "file_access";

-- AlterTable
ALTER TABLE "image_generations" ADD COLUMN     "passed_over" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "stray_objects" (
    "key" TEXT NOT NULL,
    "access" "file_access" NOT NULL,
    "content_type" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    "condemned_at" TIMESTAMPTZ(6),

    CONSTRAINT "stray_objects_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "stray_objects_created_at_idx" ON "stray_objects"("created_at");

-- Which run made a file was written in the run's images alone.
UPDATE "files" SET "generation_id" = "made"."id"
FROM (
    SELECT "image"."id", ("kept"."image" ->> 'fileId')::uuid AS "file_id"
    FROM "image_generations" AS "image", jsonb_array_elements("image"."images") AS "kept" ("image")
    WHERE "kept"."image" ->> 'fileId' IS NOT NULL
) AS "made"
WHERE "files"."id" = "made"."file_id";
