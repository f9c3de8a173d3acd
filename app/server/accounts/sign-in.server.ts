import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { replaceCheckedHash } from "~/models/accounts/passwords.server";
import { getCredentials } from "~/models/accounts/users.server";
import { checkChallenge, hasChallengeToken } from "~/server/accounts/bot-challenge.server";
import { findTrustedDevice } from "~/server/accounts/device-cookie.server";
import { invalidCredentials } from "~/server/accounts/session.server";
import {
  admitSignIn,
  countSignIn,
  refuseUnproven,
  releaseTry,
  waitForTurn,
} from "~/server/accounts/sign-in-throttle.server";
import { credentialsSchema } from "~/services/auth/credentials";
import { hashPassword, needsRehash, verifyPassword } from "~/services/auth/password.server";
import { AppError } from "~/utils/app-error";
import { securityEvent } from "~/utils/security-event.server";

/** An account whose password was correct, and the password hash that it now has. */
interface CheckedAccount {
  userId: string;
  checkedHash: string;
}

interface PasswordTry {
  request: Request;
  email: string;
  password: string;
  clientAddress: string;
  /** The posted form, with the bot challenge's field. */
  form: FormData;
}

/**
 * Checks an email and password with remix-auth's form strategy and returns the account. An unknown
 * address and a wrong password get the same response after the same work.
 * @throws AppError 400 invalid_credentials, challenge_required or challenge_failed, 429 rate_limited,
 * 503 busy
 */
export async function checkCredentials(
  request: Request,
  form: FormData,
  clientAddress: string,
): Promise<CheckedAccount> {
  const authenticator = new Authenticator<CheckedAccount>();
  authenticator.use(
    new FormStrategy(({ form }) => {
      const { email, password } = credentialsSchema.parse(Object.fromEntries(form));
      return verifyCredentials({ request, email, password, clientAddress, form });
    }),
    "password",
  );
  // The strategy reads a request's form; the real request's form was already read and checked.
  const formRequest = new Request("http://form.invalid", { method: "POST", body: form });
  const email = String(form.get("email") ?? "");
  try {
    return await authenticator.authenticate("password", formRequest);
  } catch (error) {
    // Wrong credentials were logged where more is known of them.
    if (error instanceof AppError && error.code !== "invalid_credentials")
      securityEvent("sign_in", { outcome: "failure", email, reason: error.code });
    throw error;
  }
}

async function verifyCredentials(attempt: PasswordTry): Promise<CheckedAccount> {
  const { request, email, password, clientAddress, form } = attempt;
  const user = await getCredentials(email);
  const passwordHash = user?.passwordHash ?? null;
  const known = user && passwordHash ? { userId: user.id, checkedHash: passwordHash } : null;
  const deviceId =
    user && known ? await findTrustedDevice(request, { userId: user.id, passwordHash }) : null;
  const admitted = await admitSignIn({
    email,
    clientAddress,
    deviceId,
    hasToken: hasChallengeToken(form),
  });
  let valid: boolean;
  try {
    if (admitted.needsChallenge) await requireChallenge(attempt);
    if (admitted.needsTurn) await waitForTurn(email);
    valid = await verifyPassword(password, passwordHash);
  } catch (error) {
    // A try whose password isn't checked doesn't count as a failure. An invented token does: each costs
    // a call to Cloudflare.
    if (!(error instanceof AppError && error.code === "challenge_failed"))
      await releaseTry(admitted);
    throw error;
  }
  if (!known || !valid) {
    const reason = known ? "wrong_password" : user ? "no_password" : "unknown_account";
    securityEvent("sign_in", { outcome: "failure", reason, userId: user?.id, email });
    throw invalidCredentials();
  }
  await releaseTry(admitted);
  await countSignIn(admitted);
  return strengthenHash(known, attempt);
}

/**
 * Checks the bot challenge of a suspicious try. If Cloudflare cannot be asked, the other limits have to
 * do: a fault there must not keep people out of their accounts.
 * @throws AppError 400 challenge_required or challenge_failed, 429 rate_limited
 */
async function requireChallenge({ form, clientAddress }: PasswordTry): Promise<void> {
  try {
    const result = await checkChallenge({ form, action: "sign_in", clientAddress });
    if (result === "absent") throw await refuseUnproven(clientAddress);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "challenge_unavailable") throw error;
  }
}

/**
 * Hashes the password again if its hash used less work than today's setting. If the stored hash has
 * changed meanwhile (by a second sign-in, or by a password change), checks the password against the
 * new hash.
 */
async function strengthenHash(
  account: CheckedAccount,
  { email, password }: PasswordTry,
): Promise<CheckedAccount> {
  if (!needsRehash(account.checkedHash)) return account;
  const stronger = await hashPassword(password).catch((error: unknown) => {
    // The server is busy: the next sign-in strengthens the hash.
    if (error instanceof AppError) return null;
    throw error;
  });
  if (!stronger) return account;
  if (await replaceCheckedHash({ ...account, passwordHash: stronger }))
    return { ...account, checkedHash: stronger };
  const present = (await getCredentials(email))?.passwordHash ?? null;
  if (!present || !(await verifyPassword(password, present))) throw invalidCredentials();
  return { ...account, checkedHash: present };
}
