-- A lot that a refund revived is marked, because this happens once for each lot.
ALTER TABLE "credit_transactions" ADD COLUMN "revived_at" TIMESTAMPTZ(6);

-- 32 bits end at 21,474,836.47: fewer than 30,000,000.00 IDR. Before the first release no table is long
-- enough for anybody to wait, and the code that reads numbers here is deployed together with this file.
-- squawk-ignore changing-column-type
ALTER TABLE "orders" ALTER COLUMN "amount" SET DATA TYPE BIGINT;

-- For the same reason as the amount.
-- squawk-ignore changing-column-type
ALTER TABLE "orders" ALTER COLUMN "amount_refunded" SET DATA TYPE BIGINT;

-- For the same reason as the amount.
-- squawk-ignore changing-column-type
ALTER TABLE "orders" ALTER COLUMN "amount_disputed" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "answer_until" TIMESTAMPTZ(6),
ADD COLUMN     "lease_token" UUID;

-- CreateTable
CREATE TABLE "claimed_signup_credits" (
    "address_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "claimed_signup_credits_pkey" PRIMARY KEY ("address_hash")
);

-- By hand from here on: what schema.prisma cannot say.

-- Compares whole rows, as before. A new expiry needs the mark, and the mark is set once.
CREATE OR REPLACE FUNCTION "refuse_history_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    allowed record := OLD;
BEGIN
    allowed.remaining := NEW.remaining;
    -- A refund gives a lot whose time is over a new one. statement_timestamp() is the ledger's clock.
    IF OLD.expires_at <= statement_timestamp() AND NEW.expires_at > OLD.expires_at
        AND OLD.revived_at IS NULL AND NEW.revived_at IS NOT NULL THEN
        allowed.expires_at := NEW.expires_at;
        allowed.revived_at := NEW.revived_at;
    END IF;
    IF NEW IS DISTINCT FROM allowed THEN
        RAISE EXCEPTION 'UPDATE refused: of % only what is left of a lot changes', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN NEW;
END
$$;
