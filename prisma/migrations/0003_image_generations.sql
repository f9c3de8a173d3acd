-- CreateEnum
CREATE TYPE "generation_status" AS ENUM ('charged', 'succeeded', 'refunded');

-- CreateTable
CREATE TABLE "image_generations" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "idempotency_key" TEXT,
    "request_hash" TEXT NOT NULL,
    "prompt" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "size" TEXT NOT NULL,
    "cost" INTEGER NOT NULL,
    "status" "generation_status" NOT NULL DEFAULT 'charged',
    "provider" TEXT,
    "images" JSONB NOT NULL DEFAULT '[]',
    "credits_charged" INTEGER NOT NULL DEFAULT 0,
    "balance_after" INTEGER,
    "lease_until" TIMESTAMPTZ(6) NOT NULL,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(6),

    CONSTRAINT "image_generations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "image_generations_user_id_created_at_id_idx" ON "image_generations"("user_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "image_generations_user_id_idempotency_key_key" ON "image_generations"("user_id", "idempotency_key");

-- AddForeignKey
ALTER TABLE "image_generations" ADD CONSTRAINT "image_generations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here on: what schema.prisma cannot say.

ALTER TABLE "image_generations" ADD CONSTRAINT "image_generations_n_in_range" CHECK ("n" BETWEEN 1 AND 4);

-- Nobody pays more than what was deducted, and what was refunded cost nothing.
ALTER TABLE "image_generations" ADD CONSTRAINT "image_generations_charge_in_range" CHECK ("cost" > 0 AND "credits_charged" BETWEEN 0 AND "cost");
ALTER TABLE "image_generations" ADD CONSTRAINT "image_generations_refunded_is_free" CHECK ("status" <> 'refunded' OR "credits_charged" = 0);

-- What maintenance looks for; it stays as small as the number of generations under way.
CREATE INDEX "image_generations_unsettled_idx" ON "image_generations" ("lease_until") WHERE "status" = 'charged';
