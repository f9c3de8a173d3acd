-- CreateEnum
CREATE TYPE "top_up_off" AS ENUM ('owner', 'declined', 'price', 'dispute', 'disabled', 'card_removed');

-- CreateEnum
CREATE TYPE "top_up_status" AS ENUM ('claimed', 'asked', 'paid', 'declined', 'unknown', 'canceled');

-- AlterTable
ALTER TABLE "account_settings" ADD COLUMN     "agreed_amount" BIGINT,
ADD COLUMN     "agreed_at" TIMESTAMPTZ(6),
ADD COLUMN     "agreed_currency" TEXT,
ADD COLUMN     "card_request" UUID,
ADD COLUMN     "monthly_amount" BIGINT,
ADD COLUMN     "off_at" TIMESTAMPTZ(6),
ADD COLUMN     "off_reason" "top_up_off",
ADD COLUMN     "payment_method_id" TEXT,
ADD COLUMN     "provider_customer_id" TEXT,
ADD COLUMN     "sku_key" TEXT,
ADD COLUMN     "threshold" INTEGER;

-- CreateTable
CREATE TABLE "top_ups" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "account_id" UUID NOT NULL,
    "crossing_id" UUID NOT NULL,
    "sku_key" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "provider_customer_id" TEXT NOT NULL,
    "payment_method_id" TEXT NOT NULL,
    "status" "top_up_status" NOT NULL DEFAULT 'claimed',
    "provider_payment_id" TEXT,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    "asked_at" TIMESTAMPTZ(6),
    "settled_at" TIMESTAMPTZ(6),

    CONSTRAINT "top_ups_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "top_ups_account_id_created_at_idx" ON "top_ups"("account_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "top_ups_crossing_id_key" ON "top_ups"("crossing_id");

-- AddForeignKey
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "credit_accounts"("user_id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- One attempt per account at a time.
CREATE UNIQUE INDEX "top_ups_open_key" ON "top_ups"("account_id") WHERE "status" IN ('claimed', 'asked', 'unknown');

ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_amount_check" CHECK ("amount" > 0);
-- An attempt for which money was taken, or may be, says since when.
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_asked_check" CHECK ("status" IN ('claimed', 'canceled') OR "asked_at" IS NOT NULL);
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_settled_check" CHECK (("status" IN ('paid', 'declined', 'canceled')) = ("settled_at" IS NOT NULL));

-- The terms are there all together or not at all.
ALTER TABLE "account_settings" ADD CONSTRAINT "account_settings_terms_check"
CHECK (num_nulls("threshold", "sku_key", "monthly_amount", "agreed_amount", "agreed_currency") IN (0, 5)) NOT VALID;
ALTER TABLE "account_settings" ADD CONSTRAINT "account_settings_top_up_check"
CHECK ("threshold" > 0 AND "agreed_amount" > 0 AND "monthly_amount" >= "agreed_amount") NOT VALID;

-- Queues of the attempts, and of cards that the provider is to forget.
SELECT pgboss.create_queue('top-ups', '{"policy": "standard", "notify": true}');
SELECT pgboss.create_queue('kept-cards', '{"policy": "standard", "notify": true}');
