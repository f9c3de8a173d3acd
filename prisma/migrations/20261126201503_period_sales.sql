-- The same for periods, which are sales once they are no trial and have an amount. The provider may not say when they were
-- paid: then they count by when they were noted.
CREATE FUNCTION "note_period_sale"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "was" TIMESTAMPTZ;
    "is" TIMESTAMPTZ;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF OLD."kind" <> 'trial' AND OLD."amount" IS NOT NULL THEN
            "was" := coalesce(OLD."paid_at", OLD."created_at");
        END IF;
    END IF;
    IF NEW."kind" <> 'trial' AND NEW."amount" IS NOT NULL THEN
        "is" := coalesce(NEW."paid_at", NEW."created_at");
    END IF;
    IF "was" IS NOT NULL OR "is" < date_trunc('day', clock_timestamp(), 'UTC') THEN
        INSERT INTO "sale_changes" ("sale_id", "old_day")
        VALUES (NEW."id", ("was" AT TIME ZONE 'UTC')::date);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER "subscription_periods_sales_added" AFTER INSERT ON "subscription_periods"
FOR EACH ROW WHEN (NEW."amount" IS NOT NULL) EXECUTE FUNCTION "note_period_sale"();

CREATE TRIGGER "subscription_periods_sales" AFTER UPDATE OF "kind", "plan_key", "period", "amount", "currency", "paid_at",
    "amount_returned", "provider_payment_id" ON "subscription_periods"
FOR EACH ROW WHEN ((OLD."kind", OLD."plan_key", OLD."period", OLD."amount", OLD."currency", OLD."paid_at",
        OLD."amount_returned", OLD."provider_payment_id")
    IS DISTINCT FROM (NEW."kind", NEW."plan_key", NEW."period", NEW."amount", NEW."currency", NEW."paid_at",
        NEW."amount_returned", NEW."provider_payment_id"))
EXECUTE FUNCTION "note_period_sale"();
