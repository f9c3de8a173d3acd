import { createHmac } from "node:crypto";
import { type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import { getEnv } from "~/env.server";
import { createToken } from "~/utils/token.server";

export type LinkPurpose = "reset_password" | "verify_email";

const LIFETIME_HOURS: Record<LinkPurpose, number> = { reset_password: 1, verify_email: 24 };

/** Which token of what kind. */
interface Link {
  token: string;
  purpose: LinkPurpose;
}

/**
 * What is stored of a link's token, keyed with `AUTH_SECRET`: whoever can write the table can make no
 * link, and a new secret voids all that were sent.
 */
function hashLinkToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac("sha256", getEnv().authSecret).update(token).digest());
}

/** Makes a token for a link in an e-mail, which alone will hold it. */
export async function createLinkToken(
  { userId, purpose }: { userId: string; purpose: LinkPurpose },
  db: DatabaseOrTransaction = getDb(),
): Promise<string> {
  const token = createToken();
  await db.$executeRaw`
    INSERT INTO verification_tokens (user_id, purpose, token_hash, expires_at)
    VALUES (${userId}::uuid, ${purpose}, ${hashLinkToken(token)},
            now() + make_interval(hours => ${LIFETIME_HOURS[purpose]}))`;
  return token;
}

/** Whose link it is, and whether it would still do something; null for a token that is unknown. */
export async function findLink(
  { token, purpose }: Link,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ userId: string; usable: boolean } | null> {
  const [row] = await db.$queryRaw<{ userId: string; usable: boolean }[]>`
    SELECT user_id AS "userId", used_at IS NULL AND expires_at > now() AS usable
    FROM verification_tokens
    WHERE token_hash = ${hashLinkToken(token)} AND purpose = ${purpose}`;
  return row ?? null;
}

/** Whether the link would still do something. */
export async function isLinkUsable(link: Link, db?: DatabaseOrTransaction): Promise<boolean> {
  return (await findLink(link, db))?.usable ?? false;
}

/** The account that a link which would still do something was sent to; null for any other token. */
export async function findLinkAccount(
  { token, purpose }: Link,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ userId: string; email: string } | null> {
  const [account] = await db.$queryRaw<{ userId: string; email: string }[]>`
    SELECT u.id AS "userId", u.email
    FROM verification_tokens t JOIN users u ON u.id = t.user_id
    WHERE t.token_hash = ${hashLinkToken(token)} AND t.purpose = ${purpose}
      AND t.used_at IS NULL AND t.expires_at > now()`;
  return account ?? null;
}

/**
 * Locks the account that a link belongs to and answers its id; null for a token that is unknown. The
 * account goes first: two links of one account that are used at once would otherwise wait for each other.
 */
export async function lockLinkOwner(
  { token, purpose }: Link,
  transaction: Transaction,
): Promise<string | null> {
  const [row] = await transaction.$queryRaw<{ id: string }[]>`
    SELECT u.id FROM verification_tokens t JOIN users u ON u.id = t.user_id
    WHERE t.token_hash = ${hashLinkToken(token)} AND t.purpose = ${purpose}
    FOR NO KEY UPDATE OF u`;
  return row?.id ?? null;
}

/**
 * Uses the link up: "used" the first time and within its time, "used_before" ever after, and
 * "invalid" where its time ended first or there is none.
 */
export async function spendLink(
  { token, purpose }: Link,
  transaction: Transaction,
): Promise<"used" | "used_before" | "invalid"> {
  const used = await transaction.$executeRaw`
    UPDATE verification_tokens SET used_at = now()
    WHERE token_hash = ${hashLinkToken(token)} AND purpose = ${purpose}
      AND used_at IS NULL AND expires_at > now()`;
  if (used === 1) return "used";
  const [earlier] = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM verification_tokens
    WHERE token_hash = ${hashLinkToken(token)} AND purpose = ${purpose} AND used_at IS NOT NULL`;
  return earlier ? "used_before" : "invalid";
}

/** Makes every link of this kind that the user was sent worthless. */
export async function voidLinks(
  { userId, purpose }: { userId: string; purpose: LinkPurpose },
  db: DatabaseOrTransaction,
): Promise<void> {
  await db.$executeRaw`
    UPDATE verification_tokens SET used_at = now()
    WHERE user_id = ${userId}::uuid AND purpose = ${purpose} AND used_at IS NULL`;
}
