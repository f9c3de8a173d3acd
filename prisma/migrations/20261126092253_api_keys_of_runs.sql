-- In a file of its own: a refund that is under way has written its run and will write its account. A file that locks both
-- tables, in whatever order, would deadlock with it.
-- AddForeignKey
ALTER TABLE "metered_runs" ADD CONSTRAINT "metered_runs_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE RESTRICT NOT VALID;
