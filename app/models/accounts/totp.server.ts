import { type Database, type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import { getEnv } from "~/env.server";
import { lockAccount } from "~/models/accounts/account-lock.server";
import { noteFactorChange } from "~/models/accounts/factor-changes.server";
import { renewRecoveryCodes } from "~/models/accounts/recovery-codes.server";
import { endSessions } from "~/models/accounts/sessions.server";
import { createTotpSecret, findCodeStep } from "~/services/auth/totp-code.server";
import { openText, sealText } from "~/utils/secret-box.server";

/** Minutes within which a new app has to give its first code. */
const SETUP_MINUTES = 15;

const bindingOf = (userId: string) => ({
  secret: getEnv().authSecret,
  use: "totp secret",
  ownerId: userId,
});

/** Starts setting up an app, with a new secret. Does nothing while one is on. */
export async function startTotp(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  const box = sealText(createTotpSecret(), bindingOf(userId));
  await db.$executeRaw`
    INSERT INTO totp_factors AS f (user_id, encrypted_secret) VALUES (${userId}::uuid, ${box})
    ON CONFLICT (user_id) DO UPDATE SET encrypted_secret = excluded.encrypted_secret, created_at = now()
    WHERE f.confirmed_at IS NULL`;
}

export type TotpState =
  | { status: "off" }
  /** The app has to give its first code. */
  | { status: "setup"; secret: string }
  /** `readable` is false if the secret was encrypted under another `AUTH_SECRET`. */
  | { status: "on"; since: Date; readable: boolean };

/** Whether the account has an authenticator app. The secret is returned only while it is set up. */
export async function getTotpState(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<TotpState> {
  const [factor] = await db.$queryRaw<{ box: Uint8Array; since: Date | null; setup: boolean }[]>`
    SELECT encrypted_secret AS box, confirmed_at AS since,
           created_at > now() - make_interval(mins => ${SETUP_MINUTES}) AS setup
    FROM totp_factors WHERE user_id = ${userId}::uuid`;
  if (!factor) return { status: "off" };
  const secret = openText(factor.box, bindingOf(userId));
  if (factor.since) return { status: "on", since: factor.since, readable: secret !== null };
  return factor.setup && secret ? { status: "setup", secret } : { status: "off" };
}

/** Whether sign-in asks for a code after the first proof. */
export async function hasTotp(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  const count = await db.totpFactor.count({ where: { userId, confirmedAt: { not: null } } });
  return count === 1;
}

export type TurnOnResult =
  /** The recovery codes, which nothing can show again. */
  { status: "on"; recoveryCodes: string[] } | { status: "wrong_code" } | { status: "no_setup" };

/**
 * Turns the app on if `code` is its present one, makes the recovery codes, and ends all other sessions:
 * they began without the second factor. The code counts as used.
 */
export function turnOnTotp(
  { userId, sessionId, code }: { userId: string; sessionId: string; code: string },
  db: Database = getDb(),
): Promise<TurnOnResult> {
  // Read committed: the account's lock comes first.
  return db.$transaction(async (transaction) => {
    await lockAccount(userId, transaction);
    const [factor] = await transaction.$queryRaw<{ box: Uint8Array; epochSeconds: number }[]>`
      SELECT encrypted_secret AS box, extract(epoch FROM now())::float8 AS "epochSeconds"
      FROM totp_factors
      WHERE user_id = ${userId}::uuid AND confirmed_at IS NULL
        AND created_at > now() - make_interval(mins => ${SETUP_MINUTES})`;
    const secret = factor ? openText(factor.box, bindingOf(userId)) : null;
    if (!factor || !secret) return { status: "no_setup" };
    const step = findCodeStep({ secret, code, epochSeconds: factor.epochSeconds });
    if (step === null) return { status: "wrong_code" };
    await transaction.$executeRaw`
      UPDATE totp_factors SET confirmed_at = now(), last_step = ${step}
      WHERE user_id = ${userId}::uuid`;
    const recoveryCodes = await renewRecoveryCodes(userId, transaction);
    await endSessions({ userId, except: sessionId }, transaction);
    await mailChange(userId, "totp_added", transaction);
    return { status: "on", recoveryCodes };
  });
}

export type CodeResult =
  | { status: "right" }
  | { status: "wrong" }
  /** The code of a step that was used already: somebody may have watched it being typed. */
  | { status: "replayed" }
  /** The secret was encrypted under another `AUTH_SECRET`: no code can be right. */
  | { status: "unreadable" };

/** Checks an app's code and uses it up. The conditional write decides, so each code works once. */
export async function spendTotpCode(
  { userId, code }: { userId: string; code: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<CodeResult> {
  const [factor] = await db.$queryRaw<{ box: Uint8Array<ArrayBuffer>; epochSeconds: number }[]>`
    SELECT encrypted_secret AS box, extract(epoch FROM now())::float8 AS "epochSeconds"
    FROM totp_factors WHERE user_id = ${userId}::uuid AND confirmed_at IS NOT NULL`;
  if (!factor) return { status: "wrong" };
  const { box, epochSeconds } = factor;
  const secret = openText(box, bindingOf(userId));
  if (!secret) return { status: "unreadable" };
  const step = findCodeStep({ secret, code, epochSeconds });
  if (step === null) return { status: "wrong" };
  const used = await db.$executeRaw`
    UPDATE totp_factors SET last_step = ${step}
    WHERE user_id = ${userId}::uuid AND confirmed_at IS NOT NULL AND encrypted_secret = ${box}
      AND last_step < ${step}`;
  return { status: used === 1 ? "right" : "replayed" };
}

/** Turns the app off and voids the recovery codes. Returns false if none was on. */
export function turnOffTotp(userId: string, db: Database = getDb()): Promise<boolean> {
  // Read committed: the account's lock comes first.
  return db.$transaction(async (transaction) => {
    await lockAccount(userId, transaction);
    return removeTotp(userId, transaction);
  });
}

/** Likewise inside a transaction that holds the account's lock. */
export async function removeTotp(userId: string, transaction: Transaction): Promise<boolean> {
  const { count } = await transaction.totpFactor.deleteMany({
    where: { userId, confirmedAt: { not: null } },
  });
  if (count === 0) return false;
  await transaction.recoveryCode.deleteMany({ where: { userId } });
  await mailChange(userId, "totp_removed", transaction);
  return true;
}

export type NewCodesResult = { status: "made"; recoveryCodes: string[] } | { status: "off" };

/** Replaces the recovery codes: the earlier ones no longer work. Does nothing while no app is on. */
export function makeRecoveryCodes(userId: string, db: Database = getDb()): Promise<NewCodesResult> {
  // Read committed: the account's lock comes first.
  return db.$transaction(async (transaction) => {
    await lockAccount(userId, transaction);
    if (!(await hasTotp(userId, transaction))) return { status: "off" };
    const recoveryCodes = await renewRecoveryCodes(userId, transaction);
    await mailChange(userId, "recovery_codes_made", transaction);
    return { status: "made", recoveryCodes };
  });
}

function mailChange(
  userId: string,
  change: "totp_added" | "totp_removed" | "recovery_codes_made",
  transaction: Transaction,
): Promise<void> {
  return noteFactorChange({ userId, change, name: null }, transaction);
}
