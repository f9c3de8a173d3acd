-- CreateEnum
CREATE TYPE "period_kind" AS ENUM ('trial', 'paid', 'upgrade');

-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "grant_period_id" UUID;

-- CreateTable
CREATE TABLE "subscription_periods" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "subscription_id" UUID NOT NULL,
    "kind" "period_kind" NOT NULL DEFAULT 'paid',
    "provider" TEXT NOT NULL,
    "provider_payment_id" TEXT,
    "starts_at" TIMESTAMPTZ(6) NOT NULL,
    "ends_at" TIMESTAMPTZ(6) NOT NULL,
    "plan_key" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "amount" BIGINT,
    "currency" TEXT,
    "amount_refunded" BIGINT NOT NULL DEFAULT 0,
    "amount_disputed" BIGINT NOT NULL DEFAULT 0,
    "amount_returned" BIGINT NOT NULL DEFAULT 0,
    "closed_at" TIMESTAMPTZ(6),
    "anchor_offset" BIGINT,
    "granted_for" BIGINT,
    "granted_credits" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "subscription_periods_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_payments" (
    "provider" TEXT NOT NULL,
    "provider_intent_id" TEXT NOT NULL,
    "provider_payment_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "invoice_payments_pkey" PRIMARY KEY ("provider","provider_intent_id","provider_payment_id")
);

-- CreateTable
CREATE TABLE "payment_returns" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "provider" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "provider_payment_id" TEXT NOT NULL,
    "provider_transaction_id" TEXT,
    "provider_checkout_id" TEXT,
    "provider_subscription_id" TEXT,
    "provider_customer_id" TEXT,
    "dispute_id" TEXT,
    "amount" BIGINT NOT NULL,
    "charged_amount" BIGINT,
    "currency" TEXT NOT NULL,
    "paid_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "payment_returns_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "subscription_periods_subscription_id_starts_at_idx" ON "subscription_periods"("subscription_id", "starts_at");

-- CreateIndex
CREATE UNIQUE INDEX "subscription_periods_provider_provider_payment_id_key" ON "subscription_periods"("provider", "provider_payment_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_returns_provider_provider_payment_id_kind_key" ON "payment_returns"("provider", "provider_payment_id", "kind");

-- Checkout and portal look up a customer's subscriptions.
-- Before the first release no table is long enough for anybody to wait.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "subscriptions_provider_provider_customer_id_idx" ON "subscriptions"("provider", "provider_customer_id");

-- AddForeignKey
ALTER TABLE "subscription_periods" ADD CONSTRAINT "subscription_periods_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here on: what schema.prisma cannot say.

ALTER TABLE "subscription_periods" ADD CONSTRAINT "subscription_periods_provider_known" CHECK ("provider" IN ('stripe', 'creem'));
ALTER TABLE "subscription_periods" ADD CONSTRAINT "subscription_periods_period_known" CHECK ("period" IN ('month', 'year'));
ALTER TABLE "subscription_periods" ADD CONSTRAINT "subscription_periods_not_empty" CHECK ("starts_at" < "ends_at");
ALTER TABLE "subscription_periods" ADD CONSTRAINT "subscription_periods_amounts_not_negative" CHECK (
    "amount" >= 0 AND "amount_refunded" >= 0 AND "amount_disputed" >= 0 AND "amount_returned" >= 0
);

ALTER TABLE "invoice_payments" ADD CONSTRAINT "invoice_payments_provider_known" CHECK ("provider" IN ('stripe', 'creem'));

ALTER TABLE "payment_returns" ADD CONSTRAINT "payment_returns_provider_known" CHECK ("provider" IN ('stripe', 'creem'));
ALTER TABLE "payment_returns" ADD CONSTRAINT "payment_returns_kind_known" CHECK ("kind" IN ('refunded', 'disputed'));
ALTER TABLE "payment_returns" ADD CONSTRAINT "payment_returns_amounts_not_negative" CHECK ("amount" >= 0 AND "charged_amount" >= 0);

-- The periods that the subscriptions' own columns tell of. Their payments are unknown; an invoice of the same
-- start adds its payment if it is delivered again. Lots granted so far name the subscription, and those granted from
-- here on name the period: with one id for both, each lot names its period.
INSERT INTO "subscription_periods" ("id", "subscription_id", "kind", "provider", "starts_at", "ends_at",
    "plan_key", "period", "anchor_offset", "granted_for")
SELECT "id", "id", CASE WHEN "status" = 'trialing' THEN 'trial' ELSE 'paid' END::"period_kind", "provider",
    "from", "paid_until", "plan_key", "period",
    CASE WHEN "granted_until" > "from" THEN extract(epoch FROM "grant_anchor_at" - "from") * 1000 END,
    CASE WHEN "granted_until" > "from" THEN extract(epoch FROM "granted_until" - "from") * 1000 END
FROM (SELECT *, coalesce("paid_from", "grant_anchor_at", "current_period_start") AS "from" FROM "subscriptions") AS "known"
WHERE "from" < "paid_until";

UPDATE "subscriptions" SET "grant_period_id" = "id" WHERE "next_grant_at" < "paid_until";

-- Before the first release no other version runs on this database.
-- squawk-ignore ban-drop-column
ALTER TABLE "subscriptions" DROP COLUMN "granted_until", DROP COLUMN "paid_from";
