-- A sale of a day that is over makes its day due again. One of today does not: its day is summed up once it is over,
-- which is minutes after each transaction that began on it has ended.
CREATE FUNCTION "note_order_sale"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "was" TIMESTAMPTZ;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        "was" := OLD."paid_at";
    END IF;
    IF "was" IS NOT NULL OR NEW."paid_at" < date_trunc('day', clock_timestamp(), 'UTC') THEN
        INSERT INTO "sale_changes" ("sale_id", "old_day")
        VALUES (NEW."id", ("was" AT TIME ZONE 'UTC')::date);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER "orders_sales_added" AFTER INSERT ON "orders"
FOR EACH ROW WHEN (NEW."paid_at" IS NOT NULL) EXECUTE FUNCTION "note_order_sale"();

CREATE TRIGGER "orders_sales" AFTER UPDATE OF "sku_key", "amount", "currency", "paid_at", "amount_refunded",
    "amount_disputed", "provider_payment_id", "provider_checkout_id" ON "orders"
FOR EACH ROW WHEN ((OLD."paid_at" IS NOT NULL OR NEW."paid_at" IS NOT NULL)
    AND (OLD."sku_key", OLD."amount", OLD."currency", OLD."paid_at", OLD."amount_refunded", OLD."amount_disputed",
        OLD."provider_payment_id", OLD."provider_checkout_id")
    IS DISTINCT FROM (NEW."sku_key", NEW."amount", NEW."currency", NEW."paid_at", NEW."amount_refunded", NEW."amount_disputed",
        NEW."provider_payment_id", NEW."provider_checkout_id"))
EXECUTE FUNCTION "note_order_sale"();
