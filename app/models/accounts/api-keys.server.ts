import {
  type Database,
  type DatabaseOrTransaction,
  getDb,
  queryPrepared,
  type Transaction,
} from "~/db.server";
import { getEnv } from "~/env.server";
import { Prisma } from "~/generated/prisma/client";
import { lockAccount } from "~/models/accounts/account-lock.server";
import {
  createKeyText,
  isKeyText,
  type KeyMode,
  keyBytesOfForm,
  shownPart,
} from "~/models/accounts/api-key-text.server";
import { noteFactorChange } from "~/models/accounts/factor-changes.server";
import { ensureAccount } from "~/models/credits/accounts.server";
import { accountOf } from "~/models/metering/runs.server";
import type { ApiKeyScope } from "~/services/auth/api-key-scopes";
import { hashToken } from "~/utils/token.server";
import { isUuid } from "~/utils/uuid";

/** Keys of one account that are not revoked. An expired key counts until it is revoked. */
const KEYS_PER_ACCOUNT = 20;

export interface NewApiKey {
  userId: string;
  name: string;
  scopes: ApiKeyScope[];
  /** Days until it stops working; null for never. */
  expiresInDays: number | null;
  /** Credits that its runs may cost in a calendar month (UTC); null for no limit. */
  monthlyLimit: number | null;
  mode: KeyMode;
  /** Random, new with each form: the form sent twice makes one key. None for a key of its own. */
  formId?: string | null;
}

export type CreateApiKeyResult =
  /** The key is stored nowhere: this is the only time that it is known. */
  | { status: "created"; key: string }
  | { status: "too_many" }
  /** The form made a key some time ago. It isn't shown again. */
  | { status: "repeated" };

/** A form that is sent again within so many minutes, as by a double click, gets its key once more. */
const REPEAT_MINUTES = 2;

/** Makes a key for the user's account and tells them by mail. */
export function createApiKey(
  { userId, name, scopes, expiresInDays, monthlyLimit, mode, formId = null }: NewApiKey,
  db: Database = getDb(),
): Promise<CreateApiKeyResult> {
  // Read committed: the account's lock comes first, so that two at once count each other.
  return db.$transaction(async (transaction) => {
    await lockAccount(userId, transaction);
    await ensureAccount(userId, transaction);
    const accountId = accountOf({ id: userId });
    const key =
      formId === null
        ? createKeyText(mode)
        : createKeyText(mode, keyBytesOfForm({ authSecret: getEnv().authSecret, userId, formId }));
    const [earlier] = await transaction.$queryRaw<{ isRecent: boolean }[]>`
      SELECT revoked_at IS NULL AND created_at > now() - make_interval(mins => ${REPEAT_MINUTES})
        AND name = ${name} AND scopes = ${scopes}::text[]
        AND monthly_limit IS NOT DISTINCT FROM ${monthlyLimit}::int
        AND expires_at IS NOT DISTINCT FROM created_at + make_interval(days => ${expiresInDays}::int) AS "isRecent"
      FROM api_keys WHERE token_hash = ${hashToken(key)}`;
    if (earlier) return earlier.isRecent ? { status: "created", key } : { status: "repeated" };
    const count = await transaction.apiKey.count({ where: { accountId, revokedAt: null } });
    if (count >= KEYS_PER_ACCOUNT) return { status: "too_many" };
    await transaction.$executeRaw`
      INSERT INTO api_keys (account_id, actor_id, name, prefix, token_hash, scopes, monthly_limit, expires_at)
      VALUES (${accountId}::uuid, ${userId}::uuid, ${name}, ${shownPart(key)}, ${hashToken(key)},
              ${scopes}::text[], ${monthlyLimit}::int, now() + make_interval(days => ${expiresInDays}::int))`;
    await noteFactorChange({ userId, name, change: "api_key_made" }, transaction);
    return { status: "created", key };
  });
}

/** A key as its owner sees it. */
export interface OwnApiKey {
  id: string;
  name: string;
  /** Its first characters. */
  prefix: string;
  scopes: ApiKeyScope[];
  /** In credits; null for none. */
  monthlyLimit: number | null;
  /** Credits that its runs of this month cost so far. */
  usedThisMonth: number;
  createdAt: Date;
  expiresAt: Date | null;
  isExpired: boolean;
  /** Accurate to the minute. */
  lastUsedAt: Date | null;
  lastUsedNetwork: string | null;
}

/** The account's keys that are not revoked, newest first. */
export function listApiKeys(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnApiKey[]> {
  return db.$queryRaw`
    SELECT id, name, prefix, scopes, monthly_limit AS "monthlyLimit", created_at AS "createdAt",
      coalesce((
        SELECT credits::int FROM usage_months usage
        WHERE usage.account_id = api_keys.account_id AND api_key_id = api_keys.id
          AND month = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0) AS "usedThisMonth", expires_at AS "expiresAt",
      coalesce(expires_at <= now(), false) AS "isExpired", last_used_at AS "lastUsedAt",
      last_used_network AS "lastUsedNetwork"
    FROM api_keys WHERE account_id = ${accountOf({ id: userId })}::uuid AND revoked_at IS NULL
    ORDER BY created_at DESC, id`;
}

/** Ends a key of the account, from the next request on. Returns false for another account's, and for one that has ended. */
export async function revokeApiKey(
  { userId, keyId }: { userId: string; keyId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  if (!isUuid(keyId)) return false;
  const revoked = await db.$executeRaw`
    UPDATE api_keys SET revoked_at = now()
    WHERE id = ${keyId}::uuid AND account_id = ${accountOf({ id: userId })}::uuid
      AND revoked_at IS NULL`;
  return revoked === 1;
}

/** Ends all keys of an account. */
export async function revokeAllApiKeys(userId: string, db: DatabaseOrTransaction): Promise<void> {
  await db.$executeRaw`
    UPDATE api_keys SET revoked_at = now()
    WHERE account_id = ${accountOf({ id: userId })}::uuid AND revoked_at IS NULL`;
}

/** Ends the keys of an account that is deleted, and forgets what its owner wrote. Runs refer to the rows, so they stay. */
export async function eraseApiKeys(userId: string, transaction: Transaction): Promise<void> {
  await transaction.$executeRaw`
    UPDATE api_keys SET name = '', prefix = '', scopes = '{}', last_used_network = NULL,
      revoked_at = coalesce(revoked_at, now())
    WHERE account_id = ${accountOf({ id: userId })}::uuid`;
}

/** Who sends a request with a key. */
export interface KeyHolder {
  /** The person for whom the key acts. */
  userId: string;
  apiKeyId: string;
  scopes: ApiKeyScope[];
  emailVerified: boolean;
}

/**
 * Returns whom a key belongs to, and notes its use, at most once a minute. Null for a key that was never made, is
 * revoked or expired, or whose account is disabled or held. A text that is no key doesn't reach the database.
 */
export async function findKeyHolder(
  { key, network }: { key: string; network: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<KeyHolder | null> {
  if (!isKeyText(key)) return null;
  const statement = Prisma.sql`
    WITH key AS (
      SELECT k.id, k.actor_id, k.scopes, u.email_verified_at IS NOT NULL AS verified
      FROM api_keys k JOIN users u ON u.id = k.actor_id
      WHERE k.token_hash = ${hashToken(key)} AND k.revoked_at IS NULL
        AND (k.expires_at > now()) IS NOT FALSE AND u.disabled_at IS NULL AND NOT u.held_for_email
    ),
    used AS (
      UPDATE api_keys SET last_used_at = now(), last_used_network = ${network} FROM key
      WHERE api_keys.id = key.id AND (last_used_at > now() - interval '1 minute') IS NOT TRUE
    )
    SELECT actor_id AS "userId", id AS "apiKeyId", scopes, verified AS "emailVerified" FROM key`;
  const [holder] = await queryPrepared<KeyHolder>("use_api_key", statement, db);
  return holder ?? null;
}
