-- What is away of a sale is divided among its returns, so one that changes makes the days of all due again.
CREATE FUNCTION "note_return_sale"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "sale_changes" ("sale_id")
    SELECT "sale" FROM (VALUES (NEW."order_id"), (NEW."period_id")) AS "told" ("sale") WHERE "sale" IS NOT NULL;
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO "sale_changes" ("sale_id", "old_day")
        SELECT "sale", (coalesce(OLD."provider_at", OLD."heard_at") AT TIME ZONE 'UTC')::date
        FROM (VALUES (OLD."order_id"), (OLD."period_id")) AS "told" ("sale") WHERE "sale" IS NOT NULL;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER "payment_returns_sales_added" AFTER INSERT ON "payment_returns"
FOR EACH ROW WHEN (NEW."order_id" IS NOT NULL OR NEW."period_id" IS NOT NULL) EXECUTE FUNCTION "note_return_sale"();

CREATE TRIGGER "payment_returns_sales" AFTER UPDATE OF "provider_return_id", "kind", "provider_payment_id", "state", "amount",
    "charged_amount", "currency", "order_id", "period_id", "provider_at", "heard_at" ON "payment_returns"
FOR EACH ROW WHEN ((OLD."provider_return_id", OLD."kind", OLD."provider_payment_id", OLD."state", OLD."amount",
        OLD."charged_amount", OLD."currency", OLD."order_id", OLD."period_id", OLD."provider_at", OLD."heard_at")
    IS DISTINCT FROM (NEW."provider_return_id", NEW."kind", NEW."provider_payment_id", NEW."state", NEW."amount",
        NEW."charged_amount", NEW."currency", NEW."order_id", NEW."period_id", NEW."provider_at", NEW."heard_at"))
EXECUTE FUNCTION "note_return_sale"();
