import { createHmac } from "node:crypto";
import { type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import { getEnv } from "~/env.server";
import { removeUnsent } from "~/models/emails/outbox.server";
import { createToken } from "~/utils/token.server";

/** Also the kinds of the emails that bring the links. */
export const LINK_PURPOSES = [
  "reset_password",
  "verify_email",
  "sign_in_link",
  "change_email",
  "confirm_identity",
] as const;

export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/**
 * Links that let in whoever reads the mailbox. They are void after every change that is meant to keep
 * somebody out, and after the use of any link.
 */
export const ENTRY_LINKS = ["sign_in_link", "confirm_identity"] as const satisfies LinkPurpose[];

/** How long a link works after its email was sent. */
export const LINK_MINUTES: Record<LinkPurpose, number> = {
  reset_password: 60,
  verify_email: 24 * 60,
  sign_in_link: 10,
  change_email: 60,
  confirm_identity: 10,
};

/** Identifies a link by its token and kind. */
export interface Link {
  token: string;
  purpose: LinkPurpose;
}

/**
 * The stored hash of a link's token, keyed with `AUTH_SECRET`. Someone who can write to the table still
 * cannot forge a link, and a new secret voids every link sent before.
 */
function hashLinkToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac("sha256", getEnv().authSecret).update(token).digest());
}

/**
 * The token of a link that works in one session only. Only the text in the link is mailed; the session's
 * id is added by whoever presents it, so the link is unknown in every other session.
 */
export function boundToken(token: string, sessionId: string): string {
  return `${token}:${sessionId}`;
}

/**
 * Creates a token for an emailed link. Only the email holds it in clear. `newEmail` is the address that
 * a link to change it confirms.
 */
export async function createLinkToken(
  {
    userId,
    purpose,
    newEmail = null,
    sessionId,
  }: { userId: string; purpose: LinkPurpose; newEmail?: string | null; sessionId?: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<string> {
  const token = createToken();
  const stored = sessionId ? boundToken(token, sessionId) : token;
  await db.$executeRaw`
    INSERT INTO verification_tokens (user_id, purpose, token_hash, new_email, expires_at)
    VALUES (${userId}::uuid, ${purpose}, ${hashLinkToken(stored)}, ${newEmail},
            now() + make_interval(mins => ${LINK_MINUTES[purpose]}))`;
  return token;
}

/** The link's owner, whether it still works, and the address it confirms; null for an unknown token. */
export async function findLink(
  { token, purpose }: Link,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ userId: string; usable: boolean; newEmail: string | null } | null> {
  const [row] = await db.$queryRaw<{ userId: string; usable: boolean; newEmail: string | null }[]>`
    SELECT user_id AS "userId", used_at IS NULL AND expires_at > now() AS usable,
      new_email AS "newEmail"
    FROM verification_tokens
    WHERE token_hash = ${hashLinkToken(token)} AND purpose = ${purpose}`;
  return row ?? null;
}

/** Whether the link still works. */
export async function isLinkUsable(link: Link, db?: DatabaseOrTransaction): Promise<boolean> {
  return (await findLink(link, db))?.usable ?? false;
}

/** The account that a link was sent to. */
export interface LinkAccount {
  userId: string;
  email: string;
  emailVerified: boolean;
  /** Whether nobody can use the account until its address is verified. */
  held: boolean;
}

/** The account that a working link was sent to; null for any other token. */
export async function findLinkAccount(
  { token, purpose }: Link,
  db: DatabaseOrTransaction = getDb(),
): Promise<LinkAccount | null> {
  const [account] = await db.$queryRaw<LinkAccount[]>`
    SELECT u.id AS "userId", u.email, u.email_verified_at IS NOT NULL AS "emailVerified",
           u.held_for_email AS held
    FROM verification_tokens t JOIN users u ON u.id = t.user_id
    WHERE t.token_hash = ${hashLinkToken(token)} AND t.purpose = ${purpose}
      AND t.used_at IS NULL AND t.expires_at > now()`;
  return account ?? null;
}

/**
 * Locks the account that a link belongs to and returns its id; null for an unknown token. The account
 * is locked before the link: otherwise two links of one account used at once could deadlock.
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
 * Uses up the link, and voids the account's links that let somebody in. Returns "used" the first time,
 * "used_before" from then on, and "invalid" if it expired unused, was voided or does not exist.
 */
export async function spendLink(
  { token, purpose }: Link,
  transaction: Transaction,
): Promise<"used" | "used_before" | "invalid"> {
  const [used] = await transaction.$queryRaw<{ userId: string }[]>`
    UPDATE verification_tokens SET used_at = now()
    WHERE token_hash = ${hashLinkToken(token)} AND purpose = ${purpose}
      AND used_at IS NULL AND expires_at > now()
    RETURNING user_id AS "userId"`;
  if (used) {
    await voidLinks({ userId: used.userId, purposes: ENTRY_LINKS }, transaction);
    return "used";
  }
  const earlier = await transaction.verificationToken.findFirst({
    where: { tokenHash: hashLinkToken(token), purpose, usedAt: { not: null } },
    select: { id: true },
  });
  return earlier ? "used_before" : "invalid";
}

/**
 * Voids all of the user's unused links of these kinds, and those whose email is still to be sent. The
 * emails go first: one that is being sent holds its row until its token is stored, and the second
 * statement finds that token.
 */
export async function voidLinks(
  { userId, purposes }: { userId: string; purposes: readonly LinkPurpose[] },
  transaction: Transaction,
): Promise<void> {
  await removeUnsent({ userId, kinds: purposes }, transaction);
  await transaction.$executeRaw`
    UPDATE verification_tokens SET expires_at = now()
    WHERE user_id = ${userId}::uuid AND purpose = ANY (${purposes}::text[])
      AND used_at IS NULL AND expires_at > now()`;
}

/** Voids every user's links that let somebody in. */
export async function voidAllEntryLinks(transaction: Transaction): Promise<void> {
  const where = { kind: { in: [...ENTRY_LINKS] }, sentAt: null };
  await transaction.outboxEmail.deleteMany({ where });
  await transaction.$executeRaw`
    UPDATE verification_tokens SET expires_at = now()
    WHERE purpose = ANY (${[...ENTRY_LINKS]}::text[]) AND used_at IS NULL AND expires_at > now()`;
}
