-- CreateTable
CREATE TABLE "figure_days" (
    "day" DATE NOT NULL,
    "is_due" BOOLEAN NOT NULL DEFAULT true,
    "made_at" TIMESTAMPTZ(6),

    CONSTRAINT "figure_days_pkey" PRIMARY KEY ("day")
);

-- CreateTable
CREATE TABLE "figure_changes" (
    "id" BIGSERIAL NOT NULL,
    "sale_id" UUID NOT NULL,

    CONSTRAINT "figure_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credit_days" (
    "id" BIGSERIAL NOT NULL,
    "day" DATE NOT NULL,
    "lot_month" DATE NOT NULL,
    "product" TEXT NOT NULL,
    "currency" TEXT,
    "price" DECIMAL(30,12),
    "sold" BIGINT NOT NULL DEFAULT 0,
    "granted" BIGINT NOT NULL DEFAULT 0,
    "adjusted" BIGINT NOT NULL DEFAULT 0,
    "spent" BIGINT NOT NULL DEFAULT 0,
    "expired" BIGINT NOT NULL DEFAULT 0,
    "returned" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "credit_days_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_days" (
    "id" BIGSERIAL NOT NULL,
    "day" DATE NOT NULL,
    "action" TEXT NOT NULL,
    "provider" TEXT,
    "model" TEXT,
    "product" TEXT NOT NULL,
    "status" "metered_run_status" NOT NULL,
    "error" TEXT,
    "runs" BIGINT NOT NULL,
    "credits" BIGINT NOT NULL,
    "cost_usd_micros" BIGINT NOT NULL,
    "unknown_costs" BIGINT NOT NULL,

    CONSTRAINT "run_days_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_worths" (
    "id" BIGSERIAL NOT NULL,
    "day" DATE NOT NULL,
    "action" TEXT NOT NULL,
    "provider" TEXT,
    "model" TEXT,
    "product" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "worth" DECIMAL(30,12) NOT NULL,

    CONSTRAINT "run_worths_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_days" (
    "id" BIGSERIAL NOT NULL,
    "day" DATE NOT NULL,
    "account_id" UUID NOT NULL,
    "runs" INTEGER NOT NULL,
    "credits" BIGINT NOT NULL,
    "cost_usd_micros" BIGINT NOT NULL,

    CONSTRAINT "account_days_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "credit_days_day_idx" ON "credit_days"("day");

-- CreateIndex
CREATE INDEX "run_days_day_idx" ON "run_days"("day");

-- CreateIndex
CREATE INDEX "run_worths_day_idx" ON "run_worths"("day");

-- CreateIndex
CREATE INDEX "account_days_day_idx" ON "account_days"("day");

-- By hand from here on: what schema.prisma cannot say.

-- The price of an order's credits, which every day that they moved on was summed with.
CREATE FUNCTION "note_order_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "figure_changes" ("sale_id") VALUES (NEW."id");
    RETURN NULL;
END $$;

CREATE TRIGGER "orders_figures" AFTER UPDATE OF "sku_key", "credits", "amount", "currency" ON "orders"
FOR EACH ROW WHEN (OLD."paid_at" IS NOT NULL AND (OLD."sku_key", OLD."credits", OLD."amount", OLD."currency")
    IS DISTINCT FROM (NEW."sku_key", NEW."credits", NEW."amount", NEW."currency"))
EXECUTE FUNCTION "note_order_change"();

-- Periods of one subscription that end together pay one month between them, so one's change is the others', too.
CREATE FUNCTION "note_period_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "figure_changes" ("sale_id")
    SELECT "id" FROM "subscription_periods"
    WHERE "subscription_id" = NEW."subscription_id" AND ("ends_at" IN (NEW."ends_at", OLD."ends_at") OR "id" = NEW."id");
    RETURN NULL;
END $$;

CREATE TRIGGER "subscription_periods_figures"
AFTER UPDATE OF "kind", "starts_at", "ends_at", "plan_key", "period", "amount", "currency" ON "subscription_periods"
FOR EACH ROW WHEN ((OLD."kind", OLD."starts_at", OLD."ends_at", OLD."plan_key", OLD."period", OLD."amount", OLD."currency")
    IS DISTINCT FROM (NEW."kind", NEW."starts_at", NEW."ends_at", NEW."plan_key", NEW."period", NEW."amount", NEW."currency"))
EXECUTE FUNCTION "note_period_change"();

CREATE FUNCTION "note_period_added"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "figure_changes" ("sale_id")
    SELECT "id" FROM "subscription_periods"
    WHERE "subscription_id" = NEW."subscription_id" AND "ends_at" = NEW."ends_at" AND "id" <> NEW."id";
    RETURN NULL;
END $$;

CREATE TRIGGER "subscription_periods_figures_added" AFTER INSERT ON "subscription_periods"
FOR EACH ROW EXECUTE FUNCTION "note_period_added"();
