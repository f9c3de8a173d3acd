-- As requests lock the two: a person's row comes first. Dropping user_id needs both, because of its foreign key.
LOCK TABLE "users", "image_generations" IN ACCESS EXCLUSIVE MODE;

DROP TRIGGER "pair_generation" ON "image_generations";
DROP TRIGGER "mirror_generation" ON "image_generations";
DROP FUNCTION "pair_generation"();
DROP FUNCTION "mirror_generation"();
DROP FUNCTION "generation_as_run"("image_generations");

-- All of it stands in metered_runs, where each row has its run. Indexes, checks and the foreign key of these columns go
-- with them. No version that writes runs reads them.
-- squawk-ignore-file ban-drop-column
ALTER TABLE "image_generations" ALTER COLUMN "id" DROP DEFAULT,
DROP COLUMN "user_id",
DROP COLUMN "idempotency_key",
DROP COLUMN "request_hash",
DROP COLUMN "cost",
DROP COLUMN "status",
DROP COLUMN "provider",
DROP COLUMN "credits_charged",
DROP COLUMN "balance_after",
DROP COLUMN "lease_until",
DROP COLUMN "error",
DROP COLUMN "created_at",
DROP COLUMN "settled_at";

-- DropEnum
DROP TYPE "generation_status";
