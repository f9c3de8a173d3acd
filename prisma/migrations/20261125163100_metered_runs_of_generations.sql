-- Each generation made so far becomes a run. A row that changes meanwhile is written by its trigger, and waits for
-- this one or goes first. No row is locked against the version before.
INSERT INTO "metered_runs" SELECT ("generation_as_run"("made")).* FROM "image_generations" "made"
ON CONFLICT ("id") DO NOTHING;

ALTER TABLE "image_generations" VALIDATE CONSTRAINT "image_generations_id_fkey";
