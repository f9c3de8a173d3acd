import { consumeRateLimits, releaseRateLimits, ruleName } from "~/models/rate-limits.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { securityEvent } from "~/utils/security-event.server";
import { fingerprint } from "~/utils/token.server";

const rulesFor = (email: string) => {
  const recipient = fingerprint(email);
  return [limitRule("mail-stranger", recipient), limitRule("mail-stranger-day", recipient)];
};

interface Recipient {
  email: string;
  /** Null while nobody has proved that the mailbox is theirs. */
  emailVerifiedAt: Date | null;
}

/**
 * Counts one mailed link and returns whether it may be sent. Links to a mailbox that nobody has proved are
 * counted by its address, whichever account asks for them: any number of accounts could be made to fill
 * somebody's mailbox. Who asked isn't told, or they would learn what others ask for. A proved mailbox has
 * the limits of its account.
 */
export async function mayMailLink({ email, emailVerifiedAt }: Recipient): Promise<boolean> {
  if (emailVerifiedAt) return true;
  const result = await consumeRateLimits(rulesFor(email));
  if (result.status === "allowed") return true;
  const details = { rule: ruleName(result.rule) };
  securityEvent("rate_limited", { outcome: "failure", email, details });
  return false;
}

/** Takes back a counted link that was not queued after all. */
export function releaseMailedLink(email: string): Promise<void> {
  return releaseRateLimits(rulesFor(email).map(({ key }) => key));
}
