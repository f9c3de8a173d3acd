-- AlterTable
ALTER TABLE "account_settings" ADD COLUMN     "low_balance_credits" INTEGER;

-- CreateTable
CREATE TABLE "crossings" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "account_id" UUID NOT NULL,
    "watcher" TEXT NOT NULL,
    "api_key_id" UUID,
    "month" DATE,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "crossings_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "crossings" ADD CONSTRAINT "crossings_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "credit_accounts"("user_id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "crossings" ADD CONSTRAINT "crossings_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "account_settings" ADD CONSTRAINT "account_settings_low_balance_check" CHECK ("low_balance_credits" > 0) NOT VALID;

CREATE INDEX "crossings_month_idx" ON "crossings"("month");

-- Decides which of many spends went past a mark.
CREATE UNIQUE INDEX "crossings_mark_key" ON "crossings"
("account_id", "watcher", coalesce("api_key_id", '00000000-0000-0000-0000-000000000000'), coalesce("month", '-infinity'));

SELECT pgboss.create_queue('crossings', '{"policy": "standard", "notify": true}');
