import { expect, test } from "vitest";
import { openSession } from "../../helpers/migrations";
import { createTestDatabase } from "../../helpers/test-database";

test.each([
  [
    "an email address in upper case",
    "INSERT INTO users (email) VALUES ('Ann@example.com')",
    "users_email_lower_case",
  ],
  [
    "a token that is no SHA-256",
    "INSERT INTO sessions (user_id, token_hash, expires_at) SELECT id, 'token', now() + interval '1 day' FROM users",
    "sessions_token_hash_sha256",
  ],
  [
    "a verification token that is no SHA-256",
    "INSERT INTO verification_tokens (user_id, purpose, token_hash, expires_at) SELECT id, 'verify', 'token', now() + interval '1 day' FROM users",
    "verification_tokens_token_hash_sha256",
  ],
  [
    "an empty file",
    "INSERT INTO files (user_id, key, filename, content_type, size) SELECT id, 'k', 'f', 't', 0 FROM users",
    "files_size_positive",
  ],
  [
    "a count below zero",
    "INSERT INTO rate_limits VALUES ('k', -1, now())",
    "rate_limits_count_not_negative",
  ],
])("the database refuses %s", async (_what, sql, constraint) => {
  const session = await openSession(await createTestDatabase());
  await session.query("INSERT INTO users (email) VALUES ('ann@example.com')");
  await expect(session.query(sql)).rejects.toMatchObject({ constraint });
});
