-- Separately, so that no table is locked against writes while it is read.
ALTER TABLE "usage_months" VALIDATE CONSTRAINT "usage_months_account_id_fkey";
ALTER TABLE "usage_months" VALIDATE CONSTRAINT "usage_months_api_key_id_fkey";
