-- Separately, so that the table isn't locked against writes while it is read.
ALTER TABLE "account_settings" VALIDATE CONSTRAINT "account_settings_terms_check";
ALTER TABLE "account_settings" VALIDATE CONSTRAINT "account_settings_top_up_check";
