import { getEnv } from "~/env.server";
import { DEFAULT_LOCALE, isLocale, type Locale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import { findMailAccount, type MailAccount } from "~/models/users.server";
import { createLinkToken, type LinkPurpose } from "~/models/verification-tokens.server";
import { runInBackground } from "~/server/background.server";
import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { limitRule } from "~/server/rate-limit-rules";
import { getEmailSender } from "~/services/email/smtp-sender.server";
import { AppError } from "~/utils/app-error";

const PAGES: Record<LinkPurpose, string> = {
  reset_password: "reset-password",
  verify_email: "verify-email",
};

/**
 * Sends the link that sets a new password, if the address has an account. Whether it has is told by
 * nothing that the asker sees, the time taken included. Does nothing while e-mail is off.
 */
export function mailResetLink(email: string): void {
  runInBackground("reset link", async () => {
    const account = await findMailAccount({ email });
    if (account) await mailLink(account, "reset_password");
  });
}

/** Sends the link that verifies the account's address, unless it is verified or e-mail is off. */
export function mailVerificationLink(userId: string): void {
  runInBackground("verification link", async () => {
    const account = await findMailAccount({ id: userId });
    if (account && !account.emailVerifiedAt) await mailLink(account, "verify_email");
  });
}

async function mailLink(account: MailAccount, purpose: LinkPurpose): Promise<void> {
  const sender = getEmailSender();
  if (!sender) return;
  const locale = isLocale(account.locale) ? account.locale : DEFAULT_LOCALE;
  const token = await createLinkToken({ userId: account.id, purpose });
  // Never from the request: its Host is whatever the asker wrote there.
  const url = new URL(`/${locale}/${PAGES[purpose]}`, getEnv().siteUrl);
  url.searchParams.set("token", token);
  await sender.send({ to: account.email, ...write(purpose, locale, url.href) });
}

function write(purpose: LinkPurpose, locale: Locale, link: string) {
  const t = translatorFor(locale);
  const product = t("product.name");
  const paragraphs =
    purpose === "reset_password"
      ? [t("mail.resetIntro", { product }), link, t("mail.resetNote")]
      : [t("mail.verifyIntro", { product }), link, t("mail.verifyNote")];
  const subject =
    purpose === "reset_password"
      ? t("mail.resetSubject", { product })
      : t("mail.verifySubject", { product });
  return { subject, text: `${paragraphs.join("\n\n")}\n` };
}

/** @throws AppError 429 rate_limited once the user has asked too often within the hour */
export function limitVerificationLinks(userId: string): Promise<void> {
  return enforceRateLimit(limitRule("verify-user", userId));
}

/** @throws AppError 503 email_unavailable while e-mail is off */
export function requireEmail(): void {
  if (getEnv().email) return;
  throw new AppError({
    code: "email_unavailable",
    status: 503,
    publicMessage: "E-mail is not set up on this server, so no link was sent.",
  });
}
