import { type Database, getDb } from "~/db.server";
import { queueLink } from "~/models/accounts/link-emails.server";
import { queueEmail } from "~/models/emails/outbox.server";

/** Queues the link that sets a new password, if the address has an account. */
export async function queueResetLink(
  { email, redirectTo = null }: { email: string; redirectTo?: string | null },
  db: Database = getDb(),
): Promise<void> {
  await db.$transaction(async (transaction) => {
    const user = await transaction.user.findUnique({ where: { email }, select: { id: true } });
    if (!user) return;
    const data = { redirectTo };
    await queueLink({ kind: "reset_password", userId: user.id, data }, transaction);
  });
}

/** Queues the link that verifies the account's address. */
export async function queueVerificationLink(
  { userId, redirectTo = null }: { userId: string; redirectTo?: string | null },
  db: Database = getDb(),
): Promise<void> {
  await db.$transaction((transaction) =>
    queueLink({ kind: "verify_email", userId, data: { redirectTo } }, transaction),
  );
}

/** Queues a link that signs in. */
export async function queueSignInLink(
  { userId, redirectTo }: { userId: string; redirectTo: string | null },
  db: Database = getDb(),
): Promise<void> {
  await db.$transaction((transaction) =>
    queueLink({ kind: "sign_in_link", userId, data: { redirectTo } }, transaction),
  );
}

/** Queues a link that confirms who a signed-in user is, in this session only. */
export async function queueConfirmLink(
  link: { userId: string; sessionId: string; redirectTo: string | null },
  db: Database = getDb(),
): Promise<void> {
  const { userId, ...data } = link;
  await db.$transaction((transaction) =>
    queueLink({ kind: "confirm_identity", userId, data }, transaction),
  );
}

/** Queues the email that tells an owner that somebody entered their address for another account. */
export async function queueSignUpNotice(userId: string, db: Database = getDb()): Promise<void> {
  await db.$transaction((transaction) =>
    queueEmail({ kind: "sign_up_notice", userId, data: {}, key: null }, transaction),
  );
}

/**
 * Queues the email that tells an owner that somebody knows their password. Not to an unverified address,
 * which may be a stranger's.
 */
export async function queuePasswordKnownNotice(
  userId: string,
  db: Database = getDb(),
): Promise<void> {
  await db.$transaction(async (transaction) => {
    const where = { id: userId, emailVerifiedAt: { not: null } };
    if ((await transaction.user.count({ where })) === 0) return;
    const data = { at: new Date().toISOString() };
    const key = `password_known:${userId}:${data.at}`;
    await queueEmail({ kind: "password_known", userId, data, key }, transaction);
  });
}

/** An account's first minutes: its first sign-in, for instance by a provider, is no news. */
const NEW_ACCOUNT_MS = 5 * 60_000;

/**
 * Queues the notice of a sign-in by a browser that hasn't signed in to the account before. Not to an
 * unverified address, which may be a stranger's.
 */
export async function queueNewDeviceNotice(
  { userId, userAgent }: { userId: string; userAgent: string | null },
  db: Database = getDb(),
): Promise<void> {
  await db.$transaction(async (transaction) => {
    const user = await transaction.user.findUnique({
      where: {
        id: userId,
        emailVerifiedAt: { not: null },
        createdAt: { lt: new Date(Date.now() - NEW_ACCOUNT_MS) },
      },
      select: { id: true },
    });
    if (!user) return;
    const data = { at: new Date().toISOString(), userAgent };
    const key = `new_device:${userId}:${data.at}`;
    await queueEmail({ kind: "new_device", userId, data, key }, transaction);
  });
}
