import { PRODUCT_NAME } from "~/catalog";
import { getEnv } from "~/env.server";
import { DEFAULT_LOCALE, isLocale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import { findMailAccount } from "~/models/accounts/users.server";
import { consumeRateLimit } from "~/models/rate-limits.server";
import { runInBackground } from "~/server/background.server";
import { limitRule } from "~/server/rate-limit-rules";
import { getEmailSender } from "~/services/email/smtp-sender.server";

/**
 * Tells the owner of an account that somebody signed up with its email address, at most once a day.
 * It may have been the owner, so the email says how to get in. Does nothing while email is off.
 */
export function mailSignUpNotice(email: string): void {
  const sender = getEmailSender();
  if (!sender) return;
  runInBackground("sign-up notice", async () => {
    const account = await findMailAccount({ email });
    if (!account) return;
    const { status } = await consumeRateLimit(limitRule("sign-up-notice-account", account.id));
    if (status === "limited") return;
    const locale = isLocale(account.locale) ? account.locale : DEFAULT_LOCALE;
    const t = translatorFor(locale);
    const product = PRODUCT_NAME;
    const page = (name: string) => new URL(`/${locale}/${name}`, getEnv().siteUrl).href;
    const paragraphs = [
      t("mail.signUpNoticeIntro", { product }),
      page("sign-in"),
      t("mail.signUpNoticeReset"),
      page("forgot-password"),
      t("mail.signUpNoticeNote"),
    ];
    const subject = t("mail.signUpNoticeSubject", { product });
    await sender.send({ to: account.email, subject, text: `${paragraphs.join("\n\n")}\n` });
  });
}
