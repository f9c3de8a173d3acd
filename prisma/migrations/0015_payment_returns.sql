-- Each refund and each dispute becomes a row with a state of its own. Totals of today become one unnamed row per
-- payment and kind. No balance moves.

-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "provider_price_id" TEXT;

-- AlterTable
ALTER TABLE "subscription_periods" ADD COLUMN     "credits_reversed" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "credits_short" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "paid_at" TIMESTAMPTZ(6),
ADD COLUMN     "replaces_earlier" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "invoice_payments" ADD COLUMN     "amount" BIGINT;

-- CreateTable
CREATE TABLE "unsold_lines" (
    "provider" TEXT NOT NULL,
    "invoice" TEXT NOT NULL,
    "line" TEXT NOT NULL,
    "subscription" TEXT NOT NULL,
    "price" TEXT,
    "amount" BIGINT,
    "currency" TEXT,
    "starts_at" TIMESTAMPTZ(6),
    "ends_at" TIMESTAMPTZ(6),
    "heard_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "unsold_lines_pkey" PRIMARY KEY ("provider","invoice","line")
);

ALTER TABLE "unsold_lines" ADD CONSTRAINT "unsold_lines_provider_known" CHECK ("provider" IN ('stripe', 'creem'));

-- A later payment for the time of an earlier one ends it, as it does today.
UPDATE "subscription_periods" SET "replaces_earlier" = true WHERE true;

-- By hand: the rows of today keep what they know under new names. The table holds kept returns only, so it is short.
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion, renaming-column, constraint-missing-not-valid, adding-foreign-key-constraint, adding-not-nullable-field, disallowed-unique-constraint, ban-drop-column
DROP INDEX "payment_returns_provider_provider_payment_id_kind_key";
ALTER TABLE "payment_returns" DROP CONSTRAINT "payment_returns_kind_known";
ALTER TABLE "payment_returns" RENAME COLUMN "created_at" TO "heard_at";
ALTER TABLE "payment_returns" RENAME COLUMN "provider_transaction_id" TO "provider_invoice_id";
ALTER TABLE "payment_returns" DROP COLUMN "dispute_id",
ADD COLUMN     "provider_return_id" TEXT,
ADD COLUMN     "provider_order_id" TEXT,
ADD COLUMN     "sku_key" TEXT,
ADD COLUMN     "state" TEXT NOT NULL DEFAULT 'succeeded',
ADD COLUMN     "order_id" UUID,
ADD COLUMN     "period_id" UUID,
ADD COLUMN     "provider_at" TIMESTAMPTZ(6),
ADD COLUMN     "tried_at" TIMESTAMPTZ(6),
ADD COLUMN     "dropped_reason" TEXT;

-- Creem's transaction is the payment, and its order another name for it.
UPDATE "payment_returns" SET "provider_order_id" = "provider_payment_id",
    "provider_payment_id" = coalesce("provider_invoice_id", "provider_payment_id"), "provider_invoice_id" = NULL
WHERE "provider" = 'creem';

UPDATE "payment_returns" SET "kind" = CASE "kind" WHEN 'disputed' THEN 'dispute' ELSE 'refund' END,
    "state" = CASE "kind" WHEN 'disputed' THEN 'open' ELSE 'succeeded' END
WHERE true;
ALTER TABLE "payment_returns" ALTER COLUMN "state" DROP DEFAULT;

-- Stripe counts refunds and disputes apart; Creem's figures hold both, so that the higher one counts.
WITH "total" AS (
    SELECT 'order' AS "of", "id", "provider", "amount_refunded", "amount_disputed", "amount" AS "charged", "currency",
        coalesce("provider_payment_id", "provider_checkout_id") AS "payment",
        CASE "provider" WHEN 'creem' THEN "provider_payment_id" END AS "creem_order"
    FROM "orders"
    UNION ALL
    SELECT 'period', "id", "provider", "amount_refunded", "amount_disputed", "amount", coalesce("currency", 'usd'),
        coalesce((
            SELECT min("provider_intent_id") FROM "invoice_payments" "link"
            WHERE "link"."provider" = "paid"."provider" AND "link"."provider" = 'stripe'
                AND "link"."provider_payment_id" = "paid"."provider_payment_id"
            HAVING count(*) = 1
        ), "provider_payment_id", "id"::text), NULL
    FROM "subscription_periods" "paid"
),
"figure" AS (
    SELECT *, 'refund' AS "kind", 'succeeded' AS "state", "amount_refunded" AS "sum"
    FROM "total" WHERE "amount_refunded" > 0
    UNION ALL
    SELECT *, 'dispute', 'open', "amount_disputed"
    FROM "total" WHERE "amount_disputed" > 0
)
INSERT INTO "payment_returns" ("provider", "kind", "provider_payment_id", "provider_order_id", "state", "amount",
    "charged_amount", "currency", "order_id", "period_id")
SELECT "provider", "kind", "payment", "creem_order", "state", "sum", "charged", "currency",
    CASE "of" WHEN 'order' THEN "id" END, CASE "of" WHEN 'period' THEN "id" END
FROM "figure";

-- What returns took of each running month: by reversals, less what was given back, and what was never granted. What is
-- missing to the returned share is owed.
WITH "month" AS (
    SELECT "id", "granted_credits" AS "worth",
        CASE WHEN "closed_at" IS NOT NULL THEN "granted_credits"
            ELSE floor("granted_credits" * least("amount_returned", "amount") / "amount"::numeric)::int END AS "wanted",
        (
            SELECT coalesce(sum(CASE "row"."type" WHEN 'reversal' THEN -"part"."amount" END), 0)::int
            FROM "credit_allocations" "part"
                JOIN "credit_transactions" "row" ON "row"."id" = "part"."transaction_id"
                JOIN "credit_transactions" "lot" ON "lot"."id" = "part"."lot_id"
            WHERE "lot"."reference" = "paid"."id"::text AND "lot"."expires_at" > now()
        ) AS "reversed",
        (
            SELECT coalesce(sum("amount") FILTER (WHERE "type" = 'adjustment'), 0)::int
                - greatest(0, "granted_credits"
                    - coalesce(max("amount") FILTER (WHERE "type" = 'grant'), "granted_credits"))::int
            FROM "credit_transactions" "lot"
            WHERE "lot"."reference" = "paid"."id"::text AND "lot"."expires_at" > now() AND "remaining" IS NOT NULL
        ) AS "given_back"
    FROM "subscription_periods" "paid"
    WHERE "amount_returned" > 0 AND "amount" > 0 AND "granted_credits" > 0
        AND "starts_at" + "granted_for" * interval '1 millisecond' > now()
)
UPDATE "subscription_periods" "paid" SET
    "credits_reversed" = greatest(0, least("worth", "reversed" - "given_back")),
    "credits_short" = greatest(0, "wanted" - greatest(0, least("worth", "reversed" - "given_back")))
FROM "month" WHERE "paid"."id" = "month"."id";

ALTER TABLE "subscription_periods" DROP COLUMN "amount_refunded", DROP COLUMN "amount_disputed";
ALTER TABLE "subscription_periods" ADD CONSTRAINT "subscription_periods_credits_not_negative" CHECK (
    "amount" >= 0 AND "amount_returned" >= 0 AND "credits_reversed" >= 0 AND "credits_short" >= 0
);
ALTER TABLE "invoice_payments" ADD CONSTRAINT "invoice_payments_amount_not_negative" CHECK ("amount" >= 0);

-- CreateIndex
CREATE INDEX "payment_returns_provider_provider_payment_id_idx" ON "payment_returns"("provider", "provider_payment_id");

-- CreateIndex
CREATE INDEX "payment_returns_order_id_idx" ON "payment_returns"("order_id");

-- CreateIndex
CREATE INDEX "payment_returns_period_id_idx" ON "payment_returns"("period_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_returns_provider_provider_return_id_key" ON "payment_returns"("provider", "provider_return_id");

-- AddForeignKey
ALTER TABLE "payment_returns" ADD CONSTRAINT "payment_returns_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_returns" ADD CONSTRAINT "payment_returns_period_id_fkey" FOREIGN KEY ("period_id") REFERENCES "subscription_periods"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say.
CREATE UNIQUE INDEX "payment_returns_unnamed_key" ON "payment_returns"("provider", "provider_payment_id", "kind")
    WHERE "provider_return_id" IS NULL;
CREATE INDEX "payment_returns_order_name_idx" ON "payment_returns"("provider", "provider_order_id")
    WHERE "provider_order_id" IS NOT NULL;
CREATE INDEX "payment_returns_invoice_name_idx" ON "payment_returns"("provider", "provider_invoice_id")
    WHERE "provider_invoice_id" IS NOT NULL;
CREATE INDEX "payment_returns_kept_idx" ON "payment_returns"("tried_at" NULLS FIRST, "heard_at")
    WHERE "order_id" IS NULL AND "period_id" IS NULL AND "dropped_reason" IS NULL;
ALTER TABLE "payment_returns" ADD CONSTRAINT "payment_returns_state_known" CHECK (
    ("kind" = 'refund' AND "state" IN ('pending', 'succeeded', 'canceled', 'failed'))
    OR ("kind" = 'dispute' AND "state" IN ('inquiry', 'open', 'lost', 'won'))
);
ALTER TABLE "payment_returns" ADD CONSTRAINT "payment_returns_of_one" CHECK ("order_id" IS NULL OR "period_id" IS NULL);
