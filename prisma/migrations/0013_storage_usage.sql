-- The bytes that a user's files take and how many are pending, behind a lock on the user's row.
-- VOLATILE: each statement of the body has a snapshot of its own. A locks the row, counts and inserts a
-- file; B waits at the lock, and counts A's file because its count begins after the lock. One statement
-- outside of a function would count with the snapshot from before its wait.
CREATE FUNCTION "lock_storage_usage"("owner" UUID, OUT "used" BIGINT, OUT "pending" INTEGER)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM FROM "users" WHERE "id" = "owner" FOR NO KEY UPDATE;
    SELECT coalesce(sum("size" + "thumbnail_bytes"), 0), count(*) FILTER (WHERE "status" = 'pending')
    INTO "used", "pending"
    FROM "files"
    WHERE "user_id" = "owner" AND "deleted_at" IS NULL AND "status" IN ('pending', 'confirmed');
END
$$;
