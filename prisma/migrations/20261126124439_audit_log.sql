-- CreateTable
CREATE TABLE "audit_log" (
    "id" BIGSERIAL NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject_user_id" UUID,
    "subject" TEXT,
    "before" JSONB,
    "after" JSONB,
    "reason" TEXT,
    "network" TEXT,
    "request_id" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_log_subject_user_id_id_idx" ON "audit_log"("subject_user_id", "id" DESC);

-- AddForeignKey
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_subject_user_id_fkey" FOREIGN KEY ("subject_user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- By hand from here on: what schema.prisma cannot say.

ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_actor_known" CHECK (
    "actor" ~ '^(operator:.+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$'
);

-- Rows are added and never changed: the ledger's own function refuses the rest. ALWAYS, so that it holds in a
-- session with session_replication_role = replica, too. The table's owner can still drop the trigger.
CREATE TRIGGER "audit_log_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
ALTER TABLE "audit_log" ENABLE ALWAYS TRIGGER "audit_log_append_only";
