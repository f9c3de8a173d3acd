/** Domain of a deleted account's email address. No mail can reach it (RFC 2606). */
const DOMAIN = "deleted.invalid";

/** The address that takes the place of a deleted account's own; `token` makes it unique. */
export const tombstoneAddress = (token: string) => `deleted-${token.toLowerCase()}@${DOMAIN}`;

/**
 * Matches tombstones' addresses with LIKE. Nobody can confirm such an address, but anybody can type it
 * into a form: also ask for an account without a password.
 */
export const TOMBSTONE_PATTERN = `deleted-%@${DOMAIN}`;

/** Whether the user's row is what a deletion left. */
export function isTombstone(user: { email: string; passwordHash: string | null }): boolean {
  const { email, passwordHash } = user;
  return email.startsWith("deleted-") && email.endsWith(`@${DOMAIN}`) && passwordHash === null;
}
