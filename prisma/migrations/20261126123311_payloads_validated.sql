ALTER TABLE "webhook_inbox" VALIDATE CONSTRAINT "webhook_inbox_payload_kept";
