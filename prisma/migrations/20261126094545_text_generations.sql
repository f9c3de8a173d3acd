-- CreateTable
CREATE TABLE "text_generations" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "prompt" TEXT NOT NULL,
    "max_tokens" INTEGER,
    "text" TEXT NOT NULL DEFAULT '',
    "finish_reason" TEXT,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "text_generations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "text_generations_user_id_created_at_id_idx" ON "text_generations"("user_id", "created_at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "text_generations" ADD CONSTRAINT "text_generations_id_fkey" FOREIGN KEY ("id") REFERENCES "metered_runs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "text_generations" ADD CONSTRAINT "text_generations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
