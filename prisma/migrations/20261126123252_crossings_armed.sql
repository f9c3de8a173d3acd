ALTER TABLE "account_settings" VALIDATE CONSTRAINT "account_settings_low_balance_check";

-- A new lot arms the marks of the balance again. A trigger sees what was committed while the lot waited for its account;
-- a step of the lot's own statement would not.
CREATE FUNCTION "forget_crossings"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "crossings" WHERE "account_id" = NEW."user_id" AND "month" IS NULL;
    RETURN NULL;
END $$;

CREATE TRIGGER "credit_transactions_crossings" AFTER INSERT ON "credit_transactions"
FOR EACH ROW WHEN (NEW."remaining" IS NOT NULL) EXECUTE FUNCTION "forget_crossings"();
