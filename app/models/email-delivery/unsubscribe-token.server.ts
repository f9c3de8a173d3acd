import { createHmac, timingSafeEqual } from "node:crypto";
import { getEnv } from "~/env.server";
import { isOptionalEmail, type OptionalEmail } from "~/models/emails/email-kinds";
import { isUuid } from "~/utils/uuid";

interface Choice {
  userId: string;
  kind: OptionalEmail;
}

/** Signed with a key of its own, derived from `AUTH_SECRET`. */
function sign(text: string): Buffer {
  const key = createHmac("sha256", getEnv().authSecret).update("turn off emails").digest();
  return createHmac("sha256", key).update(text).digest();
}

/**
 * The token of the link that turns off one kind of email for one account, and can do nothing else. It
 * has no end: an email may be read years later.
 */
export function createUnsubscribeToken({ userId, kind }: Choice): string {
  const text = `${userId}.${kind}`;
  return `${text}.${sign(text).toString("base64url")}`;
}

/** The account and the kind of a token; null for one that we didn't sign. */
export function readUnsubscribeToken(token: string): Choice | null {
  const [userId = "", kind = "", signature = "", ...rest] = token.split(".");
  if (rest.length > 0 || !isUuid(userId) || !isOptionalEmail(kind)) return null;
  const given = Buffer.from(signature, "base64url");
  const right = sign(`${userId}.${kind}`);
  return given.length === right.length && timingSafeEqual(given, right) ? { userId, kind } : null;
}
