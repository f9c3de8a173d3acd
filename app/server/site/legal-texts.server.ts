import { createHash } from "node:crypto";
import { LOCALES, type Locale } from "~/i18n/locale";
import { messagesFor } from "~/i18n/messages.server";

export const LEGAL_PAGES = ["terms", "privacy", "refunds"] as const;

export type LegalPageName = (typeof LEGAL_PAGES)[number];

/**
 * The first 16 digits of the SHA-256 of each text that came with the software, by language. A page with one of these
 * texts wasn't edited. Add to the list when the starter's own texts change, and remove nothing: copies have old ones.
 */
const TEMPLATES = new Set<string>([
  "3b1ddad0499ddeb8",
  "b9367b00958c5d7d",
  "da0fcf3d4905a232",
  "02ede57ac793df28",
  "0601fa0f653c84ee",
  "e30e2aa863b21a1b",
  "9dba2f769db85002",
  "4113bf02b452e97b",
  "ace896762885861f",
  "e71552e6c7d0081b",
  "ee05ec64053ef3e5",
  "70e6484528b74853",
  "2758256697c0e884",
  "3844705d48b59710",
  "92c63825325582f5",
  "0bc0dc112071568a",
  "e0e111240a94da36",
  "f23bfbdce882be64",
  "de93eda19a5848d6",
  "b055101065772992",
  "bb4b14b9fa02d596",
  "3c9916f4739044fe",
  "fda1aa35d92b066a",
  "26c69109288b39f9",
]);

/**
 * Returns the fingerprint of one page's texts.
 * @public Only the workshop's tests use it elsewhere.
 */
export function legalTextHash(page: LegalPageName, locale: Locale): string {
  const texts = Object.entries<string>(messagesFor(locale).legal)
    .filter(([key]) => key.startsWith(page))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 16);
}

/** Whether a page still has the text that came with the software. */
export function isLegalTemplate(page: LegalPageName, locale: Locale): boolean {
  return TEMPLATES.has(legalTextHash(page, locale));
}

/** Returns the pages that still have it, as `en/terms`. */
export function listLegalTemplates(): string[] {
  return LOCALES.flatMap((locale) =>
    LEGAL_PAGES.filter((page) => isLegalTemplate(page, locale)).map((page) => `${locale}/${page}`),
  );
}
