-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "monthly_limit" INTEGER;

-- CreateTable
CREATE TABLE "account_settings" (
    "account_id" UUID NOT NULL,
    "monthly_limit" INTEGER,

    CONSTRAINT "account_settings_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "usage_months" (
    "id" BIGSERIAL NOT NULL,
    "account_id" UUID NOT NULL,
    "api_key_id" UUID,
    "month" DATE NOT NULL,
    "credits" BIGINT NOT NULL,

    CONSTRAINT "usage_months_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "account_settings" ADD CONSTRAINT "account_settings_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "credit_accounts"("user_id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- The account's own row has no key, which counts as one value here.
CREATE UNIQUE INDEX "usage_months_counted_key" ON "usage_months"
("account_id", "month", coalesce("api_key_id", '00000000-0000-0000-0000-000000000000'));

ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_monthly_limit_check" CHECK ("monthly_limit" > 0) NOT VALID;
ALTER TABLE "account_settings" ADD CONSTRAINT "account_settings_monthly_limit_check" CHECK ("monthly_limit" > 0);
