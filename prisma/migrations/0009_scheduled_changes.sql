-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "scheduled_period" TEXT,
ADD COLUMN     "scheduled_plan_key" TEXT;

-- Every row passes, since the columns are new and empty.
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_scheduled_period_known" CHECK (
  ("scheduled_plan_key" IS NULL) = ("scheduled_period" IS NULL)
  AND "scheduled_period" IN ('month', 'year')
);
