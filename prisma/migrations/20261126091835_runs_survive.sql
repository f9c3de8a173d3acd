-- AlterTable
ALTER TABLE "metered_runs" ADD COLUMN     "asynchronous" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "attempts" JSONB NOT NULL DEFAULT '[]';

-- The version before writes runs through this function. It knows neither column.
CREATE OR REPLACE FUNCTION "generation_as_run"("made" "image_generations") RETURNS "metered_runs" LANGUAGE sql STABLE AS $$
    SELECT "made"."id", "made"."user_id", "made"."user_id", NULL::uuid, 'image', "made"."idempotency_key", "made"."request_hash",
        greatest(1, "made"."cost" / "made"."n"), 1, greatest(1, "made"."cost" / "made"."n"), "made"."n",
        CASE "made"."status" WHEN 'succeeded' THEN jsonb_array_length("made"."images") ELSE 0 END,
        "made"."cost", "made"."credits_charged", 0, "made"."balance_after",
        (CASE "made"."status" WHEN 'charged' THEN 'reserved' WHEN 'succeeded' THEN 'settled' ELSE 'refunded' END)::"metered_run_status",
        "made"."provider", NULL::text, NULL::text, NULL::bigint, "made"."error", "made"."created_at",
        "made"."lease_until", "made"."lease_until", "made"."created_at",
        CASE WHEN "made"."status" <> 'charged' THEN coalesce("made"."settled_at", "made"."created_at") END,
        false, '[]'::jsonb
$$;

-- A call at a provider is nothing that the version before knows of.
CREATE OR REPLACE TRIGGER "mirror_run" AFTER UPDATE OF "status", "credits_reserved", "credits_charged", "balance_after", "error", "settled_at",
    "lease_until", "idempotency_key", "request_hash" ON "metered_runs"
FOR EACH ROW WHEN (NEW."action" = 'image' AND pg_trigger_depth() = 0) EXECUTE FUNCTION "mirror_run"();
