import { parseWithZod } from "@conform-to/zod/v4";
import { redirect, redirectDocument } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { updateProfile } from "~/models/accounts/users.server";
import { OPTIONAL_EMAILS } from "~/models/emails/email-kinds";
import { setMutedEmails } from "~/models/emails/preferences.server";
import {
  limitVerificationLinks,
  mailVerificationLink,
  requireEmail,
} from "~/server/accounts/account-emails.server";
import { formRefused } from "~/server/request/form-refused.server";
import { profileSchema } from "~/services/auth/account-forms";
import { withSentAgain } from "~/utils/sent-again";
import { readWayBack } from "~/utils/way-back";

interface Posted {
  form: FormData;
  user: SessionUser;
  locale: Locale;
}

/** Saves name and language, and continues in that language. */
export async function saveProfile({ form, user }: Posted) {
  const submission = parseWithZod(form, { schema: profileSchema });
  if (submission.status !== "success") return formRefused({ submission, hide: [] });
  const { name, locale } = submission.value;
  await updateProfile({ userId: user.id, name: name || null, locale });
  // Loads a whole document: a page that is already open keeps the texts of its first language.
  return redirectDocument(`/${locale}/account/profile?done=saved`, 303);
}

/** Saves which emails the person wants: a box without its tick turns them off. */
export async function saveEmails({ form, user, locale }: Posted) {
  const kinds = OPTIONAL_EMAILS.filter((kind) => !form.has(kind));
  await setMutedEmails({ userId: user.id, kinds });
  return redirect(`/${locale}/account/profile?done=emails`, 303);
}

/**
 * Sends the verification email again, unless the address is already verified, and goes back to the page with
 * the button.
 */
export async function resendVerification({ form, user, locale }: Posted) {
  const redirectTo = readWayBack(form.get("redirectTo"));
  if (!user.emailVerified) {
    try {
      requireEmail();
      await limitVerificationLinks(user.id);
    } catch (error) {
      const submission = parseWithZod(form, { schema: profileSchema });
      return formRefused({ submission, hide: [], error });
    }
    await mailVerificationLink({ userId: user.id, redirectTo });
  }
  const sent = `/${locale}/account/profile?done=sent`;
  return redirect(redirectTo ? withSentAgain(redirectTo) : sent, 303);
}
