-- An end at once is asked for here before the provider is asked.
ALTER TABLE "subscriptions" ADD COLUMN     "end_asked_at" TIMESTAMPTZ(6);

-- An attempt that is given up stays open until it is sure that nothing was taken, and that nothing can be.
ALTER TABLE "top_ups" ADD COLUMN     "given_up_at" TIMESTAMPTZ(6);
