-- First, as a run's end locks the two: the account, then at the commit the month.
LOCK TABLE "credit_accounts" IN SHARE ROW EXCLUSIVE MODE;

-- AddForeignKey
ALTER TABLE "usage_months" ADD CONSTRAINT "usage_months_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "credit_accounts"("user_id") ON DELETE RESTRICT ON UPDATE RESTRICT NOT VALID;

-- AddForeignKey
ALTER TABLE "usage_months" ADD CONSTRAINT "usage_months_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE RESTRICT NOT VALID;
