import { AppError } from "~/utils/app-error";

/** Months until a copy expires. RFC 9116 advises less than a year. */
const MONTHS_VALID = 7;

interface SecurityTxt {
  /** A `mailto:` or https URL, or null if none is configured. */
  contact: string | null;
  siteUrl: URL;
  now: Date;
}

/**
 * Returns the text of `/.well-known/security.txt` (RFC 9116). It is the same for all requests of a
 * UTC day and valid for at least six months. Throws a 404 without a contact, since the standard
 * requires one.
 */
export function securityTxt({ contact, siteUrl, now }: SecurityTxt): string {
  requireContact(contact);
  const expires = Date.UTC(
    now.getUTCFullYear(),
    now.getUTCMonth() + MONTHS_VALID,
    now.getUTCDate(),
  );
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(expires).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${new URL("/.well-known/security.txt", siteUrl)}`,
    `Policy: ${new URL("/security-policy.txt", siteUrl)}`,
    "",
  ].join("\n");
}

/** Throws a 404 if no contact is configured: the policy promises a reply to reports. */
export function requireContact(contact: string | null): void {
  if (contact !== null) return;
  throw new AppError({
    code: "not_found",
    publicMessage: "This site gives no contact for security reports.",
  });
}

/** Returns a public text that caches may keep for an hour. */
export function publicText(text: string): Response {
  return new Response(text, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=3600",
    },
  });
}
