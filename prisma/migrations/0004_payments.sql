-- CreateEnum
CREATE TYPE "order_status" AS ENUM ('pending', 'paid', 'partially_refunded', 'refunded', 'disputed');

-- CreateEnum
CREATE TYPE "subscription_status" AS ENUM ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'expired', 'canceled', 'unknown');

-- CreateEnum
CREATE TYPE "webhook_status" AS ENUM ('processing', 'processed', 'failed', 'dead');

-- CreateTable
CREATE TABLE "orders" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "provider_checkout_id" TEXT NOT NULL,
    "provider_payment_id" TEXT,
    "sku_key" TEXT NOT NULL,
    "credits" INTEGER NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "amount_refunded" INTEGER NOT NULL DEFAULT 0,
    "amount_disputed" INTEGER NOT NULL DEFAULT 0,
    "credits_reversed" INTEGER NOT NULL DEFAULT 0,
    "credits_short" INTEGER NOT NULL DEFAULT 0,
    "status" "order_status" NOT NULL DEFAULT 'pending',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "paid_at" TIMESTAMPTZ(6),

    CONSTRAINT "orders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscriptions" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "provider_customer_id" TEXT,
    "provider_subscription_id" TEXT NOT NULL,
    "plan_key" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "status" "subscription_status" NOT NULL DEFAULT 'incomplete',
    "current_period_start" TIMESTAMPTZ(6),
    "current_period_end" TIMESTAMPTZ(6),
    "paid_from" TIMESTAMPTZ(6),
    "paid_until" TIMESTAMPTZ(6),
    "cancel_at_period_end" BOOLEAN NOT NULL DEFAULT false,
    "ended_at" TIMESTAMPTZ(6),
    "grant_anchor_at" TIMESTAMPTZ(6),
    "grants_issued" INTEGER NOT NULL DEFAULT 0,
    "next_grant_at" TIMESTAMPTZ(6),
    "granted_until" TIMESTAMPTZ(6),
    "provider_event_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_inbox" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "provider" TEXT NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "payload" BYTEA,
    "status" "webhook_status" NOT NULL DEFAULT 'processing',
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ(6),
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "next_attempt_at" TIMESTAMPTZ(6),
    "last_error" TEXT,
    "received_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "processed_at" TIMESTAMPTZ(6),

    CONSTRAINT "webhook_inbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "user_id" UUID NOT NULL,
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "answer" JSONB,
    "lease_until" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("user_id","scope","key")
);

-- CreateTable
CREATE TABLE "job_runs" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "job" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "finished_at" TIMESTAMPTZ(6),
    "ok" BOOLEAN,
    "counts" JSONB,

    CONSTRAINT "job_runs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "orders_provider_provider_payment_id_idx" ON "orders"("provider", "provider_payment_id");

-- CreateIndex
CREATE INDEX "orders_user_id_created_at_id_idx" ON "orders"("user_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "orders_provider_provider_checkout_id_key" ON "orders"("provider", "provider_checkout_id");

-- CreateIndex
CREATE INDEX "subscriptions_user_id_created_at_id_idx" ON "subscriptions"("user_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_provider_provider_subscription_id_key" ON "subscriptions"("provider", "provider_subscription_id");

-- CreateIndex
CREATE INDEX "webhook_inbox_received_at_id_idx" ON "webhook_inbox"("received_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_inbox_provider_dedupe_key_key" ON "webhook_inbox"("provider", "dedupe_key");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE INDEX "job_runs_job_started_at_idx" ON "job_runs"("job", "started_at" DESC);

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand from here on: what schema.prisma cannot say.

ALTER TABLE "orders" ADD CONSTRAINT "orders_provider_known" CHECK ("provider" IN ('stripe', 'creem'));
ALTER TABLE "orders" ADD CONSTRAINT "orders_amounts_not_negative" CHECK ("amount" >= 0 AND "amount_refunded" >= 0 AND "amount_disputed" >= 0);

-- Nothing is taken back beyond what was bought, whatever refunds and disputes come to together.
ALTER TABLE "orders" ADD CONSTRAINT "orders_reversal_in_range" CHECK (
    "credits" > 0 AND "credits_reversed" >= 0 AND "credits_short" >= 0
    AND "credits_reversed" + "credits_short" <= "credits"
);

ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_provider_known" CHECK ("provider" IN ('stripe', 'creem'));
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_period_known" CHECK ("period" IN ('month', 'year'));
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_grants_issued_not_negative" CHECK ("grants_issued" >= 0);

-- What grants look for. It holds the subscriptions that will get one, and finding those that are due
-- costs as much as there are of them, however many are running.
CREATE INDEX "subscriptions_due_idx" ON "subscriptions" ("next_grant_at")
    WHERE "status" IN ('active', 'trialing') AND "next_grant_at" < "paid_until";

ALTER TABLE "webhook_inbox" ADD CONSTRAINT "webhook_inbox_provider_known" CHECK ("provider" IN ('stripe', 'creem'));
ALTER TABLE "webhook_inbox" ADD CONSTRAINT "webhook_inbox_dedupe_key_shape" CHECK ("dedupe_key" LIKE 'id:_%' OR "dedupe_key" ~ '^sha256:[0-9a-f]{64}$');

-- What is not processed can be tried again, which takes its bytes.
ALTER TABLE "webhook_inbox" ADD CONSTRAINT "webhook_inbox_payload_kept" CHECK ("payload" IS NOT NULL OR "status" = 'processed');

-- What maintenance looks for: deliveries to try again, and payloads to drop.
CREATE INDEX "webhook_inbox_unprocessed_idx" ON "webhook_inbox" ("received_at") WHERE "status" IN ('processing', 'failed');
CREATE INDEX "webhook_inbox_payloads_idx" ON "webhook_inbox" ("processed_at") WHERE "status" = 'processed' AND "payload" IS NOT NULL;
