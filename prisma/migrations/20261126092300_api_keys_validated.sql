-- Separately, so that no table is locked against writes while it is read.
ALTER TABLE "metered_runs" VALIDATE CONSTRAINT "metered_runs_api_key_id_fkey";
