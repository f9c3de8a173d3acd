import { getEnv } from "~/env.server";

/** Returns the credits that a new account gets; 0 where nobody can verify an address, which they wait for. */
export function offeredCredits(): number {
  const { signupCredits, email, oauth } = getEnv();
  return email || oauth.github || oauth.google ? signupCredits : 0;
}
