-- A run that was extended costs more than it began with: the version before reads that from `cost`.
CREATE OR REPLACE FUNCTION "mirror_run"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "image_generations" AS "made" SET
        "status" = (CASE NEW."status" WHEN 'reserved' THEN 'charged' WHEN 'settled' THEN 'succeeded' ELSE 'refunded' END)::"generation_status",
        "cost" = NEW."credits_reserved", "credits_charged" = NEW."credits_charged", "balance_after" = NEW."balance_after", "provider" = NEW."provider",
        "error" = NEW."error", "settled_at" = NEW."settled_at", "lease_until" = NEW."lease_until",
        "idempotency_key" = NEW."idempotency_key", "request_hash" = NEW."request_hash"
    WHERE "made"."id" = NEW."id" AND ("made"."status" = 'charged' OR NEW."status" = OLD."status");
    IF NOT FOUND THEN
        RAISE EXCEPTION 'run % was settled otherwise', NEW."id" USING ERRCODE = 'serialization_failure';
    END IF;
    RETURN NULL;
END $$;
