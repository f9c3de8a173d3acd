-- AlterTable
ALTER TABLE "job_runs" ADD COLUMN     "failed" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "server_processes" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "kind" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "works" BOOLEAN NOT NULL,
    "version" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    "seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "server_processes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "server_processes_seen_at_idx" ON "server_processes"("seen_at");
ALTER TABLE "server_processes" ADD CONSTRAINT "server_processes_kind_known" CHECK ("kind" IN ('server', 'worker'));

-- A dead delivery is tried no more. Its bytes hold personal data, and are dropped when it is old.
ALTER TABLE "webhook_inbox" DROP CONSTRAINT "webhook_inbox_payload_kept";
ALTER TABLE "webhook_inbox" ADD CONSTRAINT "webhook_inbox_payload_kept"
    CHECK ("payload" IS NOT NULL OR "status" IN ('processed', 'dead')) NOT VALID;
