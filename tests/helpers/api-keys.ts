import { createKeyText, shownPart } from "~/models/accounts/api-key-text.server";
import type { ApiKeyScope } from "~/services/auth/api-key-scopes";
import { hashToken } from "~/utils/token.server";

interface StoredKey {
  scopes: ApiKeyScope[];
  /** SQL; none by default. */
  expiresAt?: string;
  revokedAt?: string;
}

/** Stores a key of a person as the page does, without its form. */
export async function storeApiKey(
  { sql }: { sql: (text: string, values?: unknown[]) => Promise<unknown> },
  email: string,
  { scopes, expiresAt = "NULL", revokedAt = "NULL" }: StoredKey,
): Promise<string> {
  const key = createKeyText("test");
  await sql(
    `INSERT INTO credit_accounts (user_id) SELECT id FROM users WHERE email = $1
     ON CONFLICT (user_id) DO NOTHING`,
    [email],
  );
  await sql(
    `INSERT INTO api_keys (account_id, actor_id, name, prefix, token_hash, scopes, expires_at, revoked_at)
     SELECT id, id, 'a program', $2, $3, $4, ${expiresAt}, ${revokedAt} FROM users WHERE email = $1`,
    [email, shownPart(key), Buffer.from(hashToken(key)), scopes],
  );
  return key;
}
