-- What a run counts in its month.
CREATE FUNCTION "run_usage"("run" "metered_runs") RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE "run"."status" WHEN 'reserved' THEN "run"."credits_reserved" ELSE "run"."credits_charged" END
$$;

CREATE FUNCTION "count_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "more" integer := "run_usage"(NEW) - CASE WHEN TG_OP = 'UPDATE' THEN "run_usage"(OLD) ELSE 0 END;
BEGIN
    IF "more" <> 0 THEN
        INSERT INTO "usage_months" AS "usage" ("account_id", "api_key_id", "month", "credits")
        SELECT NEW."account_id", "counted"."key", date_trunc('month', NEW."created_at" AT TIME ZONE 'UTC')::date, "more"
        FROM (SELECT NULL::uuid UNION SELECT NEW."api_key_id") AS "counted" ("key")
        ON CONFLICT ("account_id", "month", coalesce("api_key_id", '00000000-0000-0000-0000-000000000000'))
        DO UPDATE SET "credits" = "usage"."credits" + excluded."credits";
    END IF;
    RETURN NULL;
END $$;

-- At the commit, so that the account, which every change of usage locks, is locked before the month.
CREATE CONSTRAINT TRIGGER "count_usage" AFTER INSERT OR UPDATE OF "status", "credits_reserved", "credits_charged" ON "metered_runs"
DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION "count_usage"();

-- Nobody writes a run until this file is committed: the trigger holds the lock for it. The foreign keys come later: their
-- checks would wait here for accounts whose holders wait to write a run.
INSERT INTO "usage_months" ("account_id", "month", "credits")
SELECT "account_id", date_trunc('month', "created_at" AT TIME ZONE 'UTC')::date, sum("run_usage"("run"))
FROM "metered_runs" AS "run" GROUP BY 1, 2;
