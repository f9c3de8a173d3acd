-- Which run made a file: servers of the version before runs didn't write it for images that they made beside this version.
UPDATE "files" SET "generation_id" = "made"."id"
FROM (
    SELECT "image"."id", ("kept"."image" ->> 'fileId')::uuid AS "file_id"
    FROM "image_generations" AS "image", jsonb_array_elements("image"."images") AS "kept" ("image")
    WHERE "kept"."image" ->> 'fileId' IS NOT NULL
) AS "made"
WHERE "files"."id" = "made"."file_id" AND "files"."generation_id" IS NULL;
