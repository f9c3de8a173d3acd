import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { queueLink } from "~/models/accounts/link-emails.server";
import { endSessions } from "~/models/accounts/sessions.server";
import { markSignupCredits } from "~/models/accounts/signup-credits.server";
import {
  findLink,
  LINK_PURPOSES,
  lockLinkOwner,
  spendLink,
  voidLinks,
} from "~/models/accounts/verification-tokens.server";
import { queueEmail } from "~/models/emails/outbox.server";

const purpose = "change_email";

/**
 * Queues the link that confirms a new address, in place of earlier ones. Nothing is queued for an address
 * that has an account.
 */
export function requestEmailChange(
  { userId, newEmail }: { userId: string; newEmail: string },
  db: Database = getDb(),
): Promise<{ status: "queued" | "email_taken" }> {
  return db.$transaction(async (transaction) => {
    if (await isTaken(newEmail, transaction)) return { status: "email_taken" };
    await queueLink(
      { kind: purpose, userId, recipient: newEmail, data: { newEmail } },
      transaction,
    );
    return { status: "queued" };
  });
}

/** A link's owner and the address it confirms; `taken` if another account has the address by now. */
export async function findChangeLink(
  token: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ userId: string; usable: boolean; newEmail: string; taken: boolean } | null> {
  const link = await findLink({ token, purpose }, db);
  if (!link?.newEmail) return null;
  const { newEmail } = link;
  return { ...link, newEmail, taken: await isTaken(newEmail, db) };
}

async function isTaken(email: string, db: DatabaseOrTransaction): Promise<boolean> {
  return (await db.user.count({ where: { email } })) > 0;
}

export type ChangeEmailResult =
  | { status: "changed" }
  | { status: "invalid_link" | "not_owner" | "email_taken" };

/**
 * Gives the account the address that its link confirms, and tells the old one. The address is a way into
 * the account, so all other sessions end and all other links are void. The old mailbox gets its
 * `SIGNUP_CREDITS` no second time.
 */
export async function changeEmail(
  { token, userId, sessionId }: { token: string; userId: string; sessionId: string },
  db: Database = getDb(),
): Promise<ChangeEmailResult> {
  try {
    // Read committed: two clicks take turns at the account's lock, and the conditional write that uses up
    // the link decides. The unique key decides between two accounts, and between this and a sign-up.
    return await db.$transaction(async (transaction): Promise<ChangeEmailResult> => {
      const link = { token, purpose } as const;
      const ownerId = await lockLinkOwner(link, transaction);
      if (!ownerId) return { status: "invalid_link" };
      if (ownerId !== userId) return { status: "not_owner" };
      const newEmail = (await findLink(link, transaction))?.newEmail;
      const { email: oldEmail, emailVerifiedAt } = await transaction.user.findUniqueOrThrow({
        where: { id: userId },
        select: { email: true, emailVerifiedAt: true },
      });
      // The link was sent from a verified address.
      if (!newEmail || !emailVerifiedAt || (await spendLink(link, transaction)) !== "used")
        return { status: "invalid_link" };
      await markSignupCredits({ userId, email: oldEmail }, transaction);
      await transaction.user.update({
        where: { id: userId },
        data: { email: newEmail, emailVerifiedAt: new Date() },
        select: { id: true },
      });
      await endSessions({ userId, except: sessionId }, transaction);
      await voidLinks({ userId, purposes: LINK_PURPOSES }, transaction);
      const data = { newEmail, at: new Date().toISOString() };
      const key = `email_changed:${userId}:${data.at}`;
      const email = { kind: "email_changed", userId, recipient: oldEmail, data, key } as const;
      await queueEmail(email, transaction);
      return { status: "changed" };
    });
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002")
      return { status: "email_taken" };
    throw error;
  }
}
