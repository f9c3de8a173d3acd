-- CreateEnum
CREATE TYPE "credit_transaction_type" AS ENUM ('grant', 'deduction', 'refund', 'reversal', 'expiry', 'adjustment');

-- CreateTable
CREATE TABLE "credit_accounts" (
    "user_id" UUID NOT NULL,
    "balance" INTEGER NOT NULL DEFAULT 0,
    "next_expiry_at" TIMESTAMPTZ(6),

    CONSTRAINT "credit_accounts_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "credit_transactions" (
    "id" BIGSERIAL NOT NULL,
    "user_id" UUID NOT NULL,
    "type" "credit_transaction_type" NOT NULL,
    "amount" INTEGER NOT NULL,
    "balance_after" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "remaining" INTEGER,
    "expires_at" TIMESTAMPTZ(6),
    "reference" TEXT,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "credit_transactions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credit_allocations" (
    "transaction_id" BIGINT NOT NULL,
    "lot_id" BIGINT NOT NULL,
    "amount" INTEGER NOT NULL,

    CONSTRAINT "credit_allocations_pkey" PRIMARY KEY ("transaction_id","lot_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "credit_transactions_source_key" ON "credit_transactions"("source");

-- CreateIndex
CREATE INDEX "credit_transactions_user_id_id_idx" ON "credit_transactions"("user_id", "id");

-- CreateIndex
CREATE INDEX "credit_allocations_lot_id_idx" ON "credit_allocations"("lot_id");

-- AddForeignKey
ALTER TABLE "credit_accounts" ADD CONSTRAINT "credit_accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "credit_allocations" ADD CONSTRAINT "credit_allocations_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "credit_transactions"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "credit_allocations" ADD CONSTRAINT "credit_allocations_lot_id_fkey" FOREIGN KEY ("lot_id") REFERENCES "credit_transactions"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- By hand from here on: what schema.prisma cannot say.

-- The last word against an overdraft, whatever statement tries it.
ALTER TABLE "credit_accounts" ADD CONSTRAINT "credit_accounts_balance_not_negative" CHECK ("balance" >= 0);
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_balance_after_not_negative" CHECK ("balance_after" >= 0);

ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_amount_sign" CHECK (
    CASE
        WHEN "type" IN ('grant', 'refund') THEN "amount" > 0
        WHEN "type" IN ('deduction', 'reversal', 'expiry') THEN "amount" < 0
        ELSE "amount" <> 0
    END
);

-- A grant and a positive adjustment are lots; nothing else holds credits or runs out.
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_remaining_on_lots" CHECK (
    ("remaining" IS NOT NULL) = ("type" = 'grant' OR ("type" = 'adjustment' AND "amount" > 0))
);
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_expires_at_on_lots" CHECK ("expires_at" IS NULL OR "remaining" IS NOT NULL);
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_remaining_in_range" CHECK ("remaining" BETWEEN 0 AND "amount");

-- A refund finds its deduction, and an expiry its lot, by these names alone.
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_source_shape" CHECK (
    CASE "type"
        WHEN 'refund' THEN "source" LIKE '_%:refund'
        WHEN 'expiry' THEN "source" ~ '^expiry:[0-9]+:[0-9]+$'
        ELSE "source" ~ '\S'
    END
);

ALTER TABLE "credit_allocations" ADD CONSTRAINT "credit_allocations_amount_not_zero" CHECK ("amount" <> 0);

-- The order in which a user's lots are spent: earliest expiry first, never-expiring last, then oldest.
CREATE INDEX "credit_transactions_burn_order_idx" ON "credit_transactions" ("user_id", "expires_at", "id") WHERE "remaining" > 0;

-- What the expiry sweep looks for, across all users.
CREATE INDEX "credit_transactions_expiring_idx" ON "credit_transactions" ("expires_at") WHERE "remaining" > 0;

CREATE FUNCTION "refuse_ledger_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% refused: % is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
END
$$;

-- Compares whole rows, so that a column added later is history too unless it is named here.
CREATE FUNCTION "refuse_history_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    allowed record := OLD;
BEGIN
    allowed.remaining := NEW.remaining;
    -- A refund gives a lot whose time is over a new one. statement_timestamp() is the ledger's clock.
    IF OLD.expires_at <= statement_timestamp() AND NEW.expires_at > OLD.expires_at THEN
        allowed.expires_at := NEW.expires_at;
    END IF;
    IF NEW IS DISTINCT FROM allowed THEN
        RAISE EXCEPTION 'UPDATE refused: of % only what is left of a lot changes', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER "credit_transactions_history" BEFORE UPDATE ON "credit_transactions"
    FOR EACH ROW EXECUTE FUNCTION "refuse_history_change"();
CREATE TRIGGER "credit_transactions_append_only" BEFORE DELETE OR TRUNCATE ON "credit_transactions"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
CREATE TRIGGER "credit_allocations_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "credit_allocations"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
