import { setTimeout as sleep } from "node:timers/promises";
import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { getCredentials } from "~/models/accounts/users.server";
import { consumeRateLimit, releaseRateLimit } from "~/models/rate-limits.server";
import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { invalidCredentials } from "~/server/session.server";
import { credentialsSchema } from "~/services/auth/credentials";
import { verifyPassword } from "~/services/auth/password.server";
import { networkOf } from "~/utils/network-address";
import { securityEvent } from "~/utils/security-event.server";
import { fingerprint } from "~/utils/token.server";

/** Whose password was right, and the hash that it was checked against. */
interface CheckedAccount {
  userId: string;
  checkedHash: string;
}

const MINUTE = 60;
const ACCOUNT_FREE_FAILURES_PER_HOUR = 50;
const SLOW_DOWN_MS = 3_000;

/**
 * Signs in by e-mail and password through remix-auth's form strategy and answers whose they are.
 * An unknown address and a wrong password give the same answer after the same work.
 *
 * Failures are limited per account and address, and per address; an account under attack from many
 * addresses is only slowed down, since a limit on it alone would let anybody lock its owner out.
 * @throws AppError 400 invalid_credentials, 429 rate_limited
 */
export async function signInWithPassword(
  form: FormData,
  clientAddress: string,
): Promise<CheckedAccount> {
  const authenticator = new Authenticator<CheckedAccount>();
  authenticator.use(
    new FormStrategy(({ form }) => {
      const { email, password } = credentialsSchema.parse(Object.fromEntries(form));
      return verifyCredentials({ email, password, clientAddress });
    }),
    "password",
  );
  // The strategy reads a request's form; this one's fields were read and chosen before.
  const request = new Request("http://form.invalid", { method: "POST", body: form });
  return authenticator.authenticate("password", request);
}

async function verifyCredentials(attempt: {
  email: string;
  password: string;
  clientAddress: string;
}): Promise<CheckedAccount> {
  const network = networkOf(attempt.clientAddress);
  const rules = {
    accountFromAddress: {
      key: `sign-in:${fingerprint(attempt.email, network)}`,
      limit: 10,
      windowSeconds: 15 * MINUTE,
    },
    address: {
      key: `sign-in-address:${fingerprint(network)}`,
      limit: 50,
      windowSeconds: 15 * MINUTE,
    },
    account: {
      key: `sign-in-account:${fingerprint(attempt.email)}`,
      limit: ACCOUNT_FREE_FAILURES_PER_HOUR,
      windowSeconds: 60 * MINUTE,
    },
  };
  // Counted before the password is checked, and taken back if it was right: parallel guesses
  // cannot all be let in before the first of them has failed. The address first: one that is
  // refused anyway leaves no row for each account that it tries.
  await enforceRateLimit(rules.address);
  await enforceRateLimit(rules.accountFromAddress);
  const account = await consumeRateLimit(rules.account);
  if (account.status === "limited") await sleep(SLOW_DOWN_MS);

  const user = await getCredentials(attempt.email);
  const valid = await verifyPassword(attempt.password, user?.passwordHash ?? null);
  if (!user?.passwordHash || !valid) {
    const reason = user
      ? user.passwordHash
        ? "wrong_password"
        : "no_password"
      : "unknown_account";
    securityEvent("sign_in", {
      outcome: "failure",
      reason,
      userId: user?.id,
      email: attempt.email,
    });
    throw invalidCredentials();
  }
  securityEvent("sign_in", { outcome: "success", userId: user.id, email: attempt.email });
  for (const { key } of Object.values(rules)) await releaseRateLimit(key);
  return { userId: user.id, checkedHash: user.passwordHash };
}

/** @throws AppError 429 rate_limited once an address has signed up too often within the hour */
export async function limitSignUps(clientAddress: string): Promise<void> {
  await enforceRateLimit({
    key: `sign-up:${fingerprint(networkOf(clientAddress))}`,
    limit: 100,
    windowSeconds: 60 * MINUTE,
  });
}
