-- AlterTable
ALTER TABLE "figure_days" ADD COLUMN     "is_sales_due" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "sales_made_at" TIMESTAMPTZ(6);

-- CreateTable
CREATE TABLE "sale_changes" (
    "id" BIGSERIAL NOT NULL,
    "sale_id" UUID NOT NULL,
    "old_day" DATE,

    CONSTRAINT "sale_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sale_days" (
    "id" BIGSERIAL NOT NULL,
    "day" DATE NOT NULL,
    "product" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "paid" BIGINT NOT NULL,
    "returned" BIGINT NOT NULL,

    CONSTRAINT "sale_days_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_up_days" (
    "id" BIGSERIAL NOT NULL,
    "day" DATE NOT NULL,
    "sign_ups" INTEGER NOT NULL,

    CONSTRAINT "sign_up_days_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "first_purchases" (
    "id" BIGSERIAL NOT NULL,
    "day" DATE NOT NULL,
    "account_id" UUID NOT NULL,
    "signed_up_on" DATE NOT NULL,
    "waited" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "first_purchases_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "costly_days" (
    "id" BIGSERIAL NOT NULL,
    "day" DATE NOT NULL,
    "account_id" UUID NOT NULL,
    "runs" BIGINT NOT NULL,
    "credits" BIGINT NOT NULL,
    "cost_usd_micros" BIGINT NOT NULL,

    CONSTRAINT "costly_days_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sale_days_day_idx" ON "sale_days"("day");

-- CreateIndex
CREATE INDEX "sign_up_days_day_idx" ON "sign_up_days"("day");

-- CreateIndex
CREATE INDEX "first_purchases_day_idx" ON "first_purchases"("day");

-- CreateIndex
CREATE INDEX "first_purchases_account_id_idx" ON "first_purchases"("account_id");

-- CreateIndex
CREATE INDEX "costly_days_day_idx" ON "costly_days"("day");
