import { PRODUCT_NAME } from "~/catalog";
import { getEnv } from "~/env.server";
import { DEFAULT_LOCALE, isLocale, type Locale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import { findMailAccount, type MailAccount } from "~/models/accounts/users.server";
import { createLinkToken, type LinkPurpose } from "~/models/accounts/verification-tokens.server";
import { consumeRateLimit } from "~/models/rate-limits.server";
import { runInBackground } from "~/server/background.server";
import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { limitRule } from "~/server/rate-limit-rules";
import { getEmailSender } from "~/services/email/smtp-sender.server";
import { AppError } from "~/utils/app-error";

type MailedPurpose = Extract<LinkPurpose, "reset_password" | "verify_email">;

const PAGES: Record<MailedPurpose, string> = {
  reset_password: "reset-password",
  verify_email: "verify-email",
};

/**
 * Sends the link that sets a new password if the address has an account. Nothing the requester
 * sees, response time included, tells whether it has one. Does nothing while email is off.
 */
export function mailResetLink(email: string): void {
  runInBackground("reset link", async () => {
    const account = await findMailAccount({ email });
    if (account) await mailLink(account, "reset_password");
  });
}

/** Sends the link that verifies the account's address, unless it is verified or email is off. */
export function mailVerificationLink(userId: string): void {
  runInBackground("verification link", async () => {
    const account = await findMailAccount({ id: userId });
    if (account && !account.emailVerifiedAt) await mailLink(account, "verify_email");
  });
}

/**
 * Tells the owner that their password was changed, and what to do if they didn't change it. At most
 * ten an hour: the address may belong to a stranger who never asked for the account.
 */
export function mailPasswordChanged(userId: string): void {
  const at = new Date();
  runInBackground("password change notice", async () => {
    const account = await findMailAccount({ id: userId });
    const sender = getEmailSender();
    if (!account || !sender) return;
    const rule = limitRule("password-notice-user", userId);
    if ((await consumeRateLimit(rule)).status === "limited") return;
    await sender.send({ to: account.email, ...writePasswordChanged(localeOf(account), at) });
  });
}

function writePasswordChanged(locale: Locale, at: Date) {
  const t = translatorFor(locale);
  const product = PRODUCT_NAME;
  const time = new Intl.DateTimeFormat(locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return write(t("mail.passwordChangedSubject", { product }), [
    t("mail.passwordChangedIntro", { product, at: time.format(at) }),
    t("mail.passwordChangedNote"),
    new URL(`/${locale}/forgot-password`, getEnv().siteUrl).href,
  ]);
}

async function mailLink(account: MailAccount, purpose: MailedPurpose): Promise<void> {
  const sender = getEmailSender();
  if (!sender) return;
  const locale = localeOf(account);
  const token = await createLinkToken({ userId: account.id, purpose });
  // Never from the request: the client chooses its Host header.
  const url = new URL(`/${locale}/${PAGES[purpose]}`, getEnv().siteUrl);
  url.searchParams.set("token", token);
  await sender.send({ to: account.email, ...writeLink(purpose, locale, url.href) });
}

function writeLink(purpose: MailedPurpose, locale: Locale, link: string) {
  const t = translatorFor(locale);
  const product = PRODUCT_NAME;
  return purpose === "reset_password"
    ? write(t("mail.resetSubject", { product }), [
        t("mail.resetIntro", { product }),
        link,
        t("mail.resetNote"),
      ])
    : write(t("mail.verifySubject", { product }), [
        t("mail.verifyIntro", { product }),
        link,
        t("mail.verifyNote"),
      ]);
}

function write(subject: string, paragraphs: string[]) {
  return { subject, text: `${paragraphs.join("\n\n")}\n` };
}

function localeOf({ locale }: MailAccount): Locale {
  return isLocale(locale) ? locale : DEFAULT_LOCALE;
}

/** @throws AppError 429 rate_limited after too many requests by the user within the hour */
export function limitVerificationLinks(userId: string): Promise<void> {
  return enforceRateLimit(limitRule("verify-user", userId));
}

/** @throws AppError 503 email_unavailable while email is off */
export function requireEmail(): void {
  if (getEnv().email) return;
  throw new AppError({
    code: "email_unavailable",
    publicMessage: "Email is not set up on this server, so no link was sent.",
  });
}
