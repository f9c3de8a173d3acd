-- The pack that an owner had chosen isn't sold any more.
ALTER TYPE "top_up_off" ADD VALUE 'not_sold';

-- What a pack brings is agreed to, too. The terms of a card that is still to be kept wait beside those that count.
ALTER TABLE "account_settings" ADD COLUMN     "agreed_credits" INTEGER,
ADD COLUMN     "card_terms" JSONB;

ALTER TABLE "top_ups" ADD COLUMN     "called_at" TIMESTAMPTZ(6),
ADD COLUMN     "credits" INTEGER;

ALTER TABLE "payment_returns" ADD COLUMN     "disputed_at" TIMESTAMPTZ(6);

-- Crossings that are there already count as told: the default fills them, and goes.
ALTER TABLE "crossings" ADD COLUMN     "told_at" TIMESTAMPTZ(6) DEFAULT now();
ALTER TABLE "crossings" ALTER COLUMN "told_at" DROP DEFAULT;
