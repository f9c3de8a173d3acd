-- Cancelling asks the provider each time now. No released version reads this column.
-- squawk-ignore-file ban-drop-column
ALTER TABLE "subscriptions" DROP COLUMN "end_confirmed_at";
