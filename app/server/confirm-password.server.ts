import type { Locale } from "~/i18n/locale";
import { getPasswordHash } from "~/models/accounts/passwords.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { requirePassword } from "~/server/check-password.server";
import { requireFreshPage } from "~/server/step-up.server";

interface Confirmation {
  user: SessionUser;
  password: string | undefined;
  locale: Locale;
  /** Page of the form, to which a person without a password returns after proving who they are. */
  path: string;
}

/**
 * Asks for the password again before an action that must not be possible with a borrowed session.
 * Returns the checked hash. An account without a password has to have proved who is there within the
 * last ten minutes; then it gets null.
 * @throws AppError 400 wrong_password, 429 rate_limited; Response to the page that asks who is there
 */
export async function confirmPassword({
  user,
  password,
  locale,
  path,
}: Confirmation): Promise<string | null> {
  const hasPassword = (await getPasswordHash(user.id)) !== null;
  if (hasPassword) return requirePassword({ userId: user.id, password: password ?? "" });
  await requireFreshPage(user, { locale, path });
  return null;
}
