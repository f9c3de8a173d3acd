-- CreateTable
CREATE TABLE "credit_repairs" (
    "id" BIGSERIAL NOT NULL,
    "repair_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "transaction_id" BIGINT,
    "field" TEXT NOT NULL,
    "before" TEXT,
    "after" TEXT,
    "reason" TEXT NOT NULL,
    "operator" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "credit_repairs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_rejections" (
    "hour" TIMESTAMPTZ(0) NOT NULL,
    "provider" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "webhook_rejections_pkey" PRIMARY KEY ("hour","provider","reason")
);

-- CreateIndex
CREATE INDEX "credit_repairs_user_id_idx" ON "credit_repairs"("user_id");

-- CreateIndex
CREATE INDEX "credit_repairs_transaction_id_idx" ON "credit_repairs"("transaction_id");

-- AddForeignKey
ALTER TABLE "credit_repairs" ADD CONSTRAINT "credit_repairs_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "credit_repairs" ADD CONSTRAINT "credit_repairs_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "credit_transactions"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- By hand from here on: what schema.prisma cannot say.

ALTER TABLE "credit_repairs" ADD CONSTRAINT "credit_repairs_field_known" CHECK (
    CASE "field"
        WHEN 'balance' THEN "transaction_id" IS NULL AND "after" ~ '^[0-9]+$'
        WHEN 'next_expiry_at' THEN "transaction_id" IS NULL
        WHEN 'remaining' THEN "transaction_id" IS NOT NULL AND "after" ~ '^[0-9]+$'
        WHEN 'balance_after' THEN "transaction_id" IS NOT NULL AND "after" ~ '^[0-9]+$'
        ELSE false
    END
);
ALTER TABLE "credit_repairs" ADD CONSTRAINT "credit_repairs_reason_given" CHECK ("reason" ~ '\S');

CREATE TRIGGER "credit_repairs_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "credit_repairs"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();

ALTER TABLE "webhook_rejections" ADD CONSTRAINT "webhook_rejections_provider_known" CHECK ("provider" IN ('stripe', 'creem'));
ALTER TABLE "webhook_rejections" ADD CONSTRAINT "webhook_rejections_reason_known" CHECK ("reason" IN ('missing', 'malformed', 'expired', 'mismatch'));
ALTER TABLE "webhook_rejections" ADD CONSTRAINT "webhook_rejections_count_positive" CHECK ("count" > 0);
