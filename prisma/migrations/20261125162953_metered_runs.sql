-- CreateEnum
CREATE TYPE "metered_run_status" AS ENUM ('reserved', 'settled', 'refunded');

-- CreateTable
CREATE TABLE "metered_runs" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "actor_id" UUID,
    "api_key_id" UUID,
    "action" TEXT NOT NULL,
    "idempotency_key" TEXT,
    "request_hash" TEXT NOT NULL,
    "unit_credits" INTEGER NOT NULL,
    "unit_size" INTEGER NOT NULL,
    "least_credits" INTEGER NOT NULL,
    "units_reserved" INTEGER NOT NULL,
    "units_used" INTEGER NOT NULL DEFAULT 0,
    "credits_reserved" INTEGER NOT NULL,
    "credits_charged" INTEGER NOT NULL DEFAULT 0,
    "extensions" INTEGER NOT NULL DEFAULT 0,
    "balance_after" INTEGER,
    "status" "metered_run_status" NOT NULL DEFAULT 'reserved',
    "provider" TEXT,
    "model" TEXT,
    "provider_request_id" TEXT,
    "cost_usd_micros" BIGINT,
    "error" TEXT,
    "called_at" TIMESTAMPTZ(6),
    "lease_until" TIMESTAMPTZ(6) NOT NULL,
    "deadline_at" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    "settled_at" TIMESTAMPTZ(6),

    CONSTRAINT "metered_runs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "metered_runs_account_id_action_created_at_id_idx" ON "metered_runs"("account_id", "action", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "metered_runs_account_id_created_at_id_idx" ON "metered_runs"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "metered_runs_account_id_action_idempotency_key_key" ON "metered_runs"("account_id", "action", "idempotency_key");

-- AddForeignKey
ALTER TABLE "metered_runs" ADD CONSTRAINT "metered_runs_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "credit_accounts"("user_id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "metered_runs" ADD CONSTRAINT "metered_runs_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "metered_runs" ADD CONSTRAINT "metered_runs_price" CHECK ("unit_credits" > 0 AND "unit_size" > 0 AND "least_credits" >= 0);
ALTER TABLE "metered_runs" ADD CONSTRAINT "metered_runs_units" CHECK ("units_reserved" > 0 AND "units_used" >= 0);
ALTER TABLE "metered_runs" ADD CONSTRAINT "metered_runs_charge" CHECK ("credits_reserved" > 0 AND "credits_charged" BETWEEN 0 AND "credits_reserved");
ALTER TABLE "metered_runs" ADD CONSTRAINT "metered_runs_refunded_is_free" CHECK ("status" <> 'refunded' OR "credits_charged" = 0);
ALTER TABLE "metered_runs" ADD CONSTRAINT "metered_runs_ended" CHECK (("status" = 'reserved') = ("settled_at" IS NULL));

CREATE INDEX "metered_runs_reserved_idx" ON "metered_runs" ("lease_until") WHERE "status" = 'reserved';

-- The version before this one keeps charge, lease and key in image_generations. As long as it may run beside this
-- one, each row is kept in both tables: what a version writes to its own table, triggers write to the other's. The
-- compare-and-set of either decides for both, since a trigger that finds the other table settled fails its statement.
-- A later migration drops the triggers, this function and the columns.

CREATE FUNCTION "generation_as_run"("made" "image_generations") RETURNS "metered_runs" LANGUAGE sql STABLE AS $$
    SELECT "made"."id", "made"."user_id", "made"."user_id", NULL::uuid, 'image', "made"."idempotency_key", "made"."request_hash",
        greatest(1, "made"."cost" / "made"."n"), 1, greatest(1, "made"."cost" / "made"."n"), "made"."n",
        CASE "made"."status" WHEN 'succeeded' THEN jsonb_array_length("made"."images") ELSE 0 END,
        "made"."cost", "made"."credits_charged", 0, "made"."balance_after",
        (CASE "made"."status" WHEN 'charged' THEN 'reserved' WHEN 'succeeded' THEN 'settled' ELSE 'refunded' END)::"metered_run_status",
        "made"."provider", NULL::text, NULL::text, NULL::bigint, "made"."error", "made"."created_at",
        "made"."lease_until", "made"."lease_until", "made"."created_at",
        CASE WHEN "made"."status" <> 'charged' THEN coalesce("made"."settled_at", "made"."created_at") END
$$;

-- A row with a run comes from this version, and gets the columns that the one before it reads. Any other gets its run.
CREATE FUNCTION "pair_generation"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "run" "metered_runs";
BEGIN
    SELECT * INTO "run" FROM "metered_runs" WHERE "id" = NEW."id";
    IF FOUND THEN
        NEW."user_id" := "run"."account_id";
        NEW."idempotency_key" := "run"."idempotency_key";
        NEW."request_hash" := "run"."request_hash";
        NEW."cost" := "run"."credits_reserved";
        NEW."lease_until" := "run"."lease_until";
        NEW."created_at" := "run"."created_at";
    ELSE
        INSERT INTO "credit_accounts" ("user_id") VALUES (NEW."user_id") ON CONFLICT ("user_id") DO NOTHING;
        INSERT INTO "metered_runs" SELECT ("generation_as_run"(NEW)).*;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "pair_generation" BEFORE INSERT ON "image_generations"
FOR EACH ROW EXECUTE FUNCTION "pair_generation"();

CREATE FUNCTION "mirror_generation"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "metered_runs" AS "run" SELECT ("generation_as_run"(NEW)).*
    ON CONFLICT ("id") DO UPDATE SET "status" = excluded."status", "units_used" = excluded."units_used",
        "credits_charged" = excluded."credits_charged", "balance_after" = excluded."balance_after",
        "provider" = excluded."provider", "error" = excluded."error", "settled_at" = excluded."settled_at",
        "lease_until" = excluded."lease_until", "idempotency_key" = excluded."idempotency_key",
        "request_hash" = excluded."request_hash"
    WHERE "run"."status" = 'reserved' OR "run"."status" = excluded."status";
    IF NOT FOUND THEN
        RAISE EXCEPTION 'generation % was settled otherwise', NEW."id" USING ERRCODE = 'serialization_failure';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "mirror_generation" AFTER UPDATE OF "status", "balance_after", "lease_until", "idempotency_key", "request_hash"
ON "image_generations"
FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "mirror_generation"();

CREATE FUNCTION "mirror_run"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "image_generations" AS "made" SET
        "status" = (CASE NEW."status" WHEN 'reserved' THEN 'charged' WHEN 'settled' THEN 'succeeded' ELSE 'refunded' END)::"generation_status",
        "credits_charged" = NEW."credits_charged", "balance_after" = NEW."balance_after", "provider" = NEW."provider",
        "error" = NEW."error", "settled_at" = NEW."settled_at", "lease_until" = NEW."lease_until",
        "idempotency_key" = NEW."idempotency_key", "request_hash" = NEW."request_hash"
    WHERE "made"."id" = NEW."id" AND ("made"."status" = 'charged' OR NEW."status" = OLD."status");
    IF NOT FOUND THEN
        RAISE EXCEPTION 'run % was settled otherwise', NEW."id" USING ERRCODE = 'serialization_failure';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "mirror_run" AFTER UPDATE ON "metered_runs"
FOR EACH ROW WHEN (NEW."action" = 'image' AND pg_trigger_depth() = 0) EXECUTE FUNCTION "mirror_run"();

-- AddForeignKey
ALTER TABLE "image_generations" ADD CONSTRAINT "image_generations_id_fkey" FOREIGN KEY ("id") REFERENCES "metered_runs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT NOT VALID;
