import { isLocale } from "~/i18n/locale";

/** The forms that ask for the challenge. Cloudflare reports the name back, so a token fits one form. */
export type ChallengeAction = "sign_up" | "reset" | "sign_in";

/** The field that the challenge adds to its form. */
export const CHALLENGE_FIELD = "cf-turnstile-response";

/** A field that people don't see and simple bots fill. */
export const TRAP_FIELD = "website";

/** Settings with which a page shows the challenge. */
export interface ShownChallenge {
  siteKey: string;
  scriptUrl: string;
  action: ChallengeAction;
}

const PAGES = new Set(["sign-up", "sign-in", "forgot-password"]);

/** Whether the document at this path may load the challenge; all others' policies forbid it. */
export function isChallengePage(pathname: string): boolean {
  const [, locale, page = "", ...rest] = pathname.split("/");
  return isLocale(locale) && PAGES.has(page) && rest.length === 0;
}
