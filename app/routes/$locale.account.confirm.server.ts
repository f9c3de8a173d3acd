import { parseWithZod } from "@conform-to/zod/v4";
import type { Locale } from "~/i18n/locale";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { hasTotp } from "~/models/accounts/totp.server";
import { requireCode } from "~/server/check-code.server";
import { requirePassword } from "~/server/check-password.server";
import { confirmIdentity } from "~/server/confirm-identity.server";
import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { formRefused } from "~/server/form-refused.server";
import { checkOwnPasskey } from "~/server/passkeys.server";
import { limitRule } from "~/server/rate-limit-rules";
import { invalidInput } from "~/server/read-body.server";
import { confirmIdentitySchema } from "~/services/auth/account-forms";
import { passkeyFormSchema } from "~/services/auth/passkey-response";

interface Posted {
  form: FormData;
  user: SessionUser;
  locale: Locale;
}

/** The password, and the code too where a sign-in would ask for it. */
export async function confirmByPassword({ form, user, locale }: Posted) {
  const submission = parseWithZod(form, { schema: confirmIdentitySchema });
  const hide = ["currentPassword", "code"];
  if (submission.status !== "success") return formRefused({ submission, hide });
  const { currentPassword, code, redirectTo } = submission.value;
  const asksCode = await hasTotp(user.id);
  if (asksCode && !code)
    return formRefused({ submission, hide, fieldErrors: { code: ["validation.required"] } });
  try {
    await requirePassword({ userId: user.id, password: currentPassword });
    if (asksCode && code) await requireCode({ userId: user.id, code });
  } catch (error) {
    return formRefused({ submission, hide, error });
  }
  return confirmIdentity(user, { way: "password", locale, redirectTo });
}

/** One of the account's passkeys, which counts as two factors. */
export async function confirmByPasskey({ form, user, locale }: Posted) {
  const fields = passkeyFormSchema.safeParse(Object.fromEntries(form));
  try {
    if (!fields.success) throw invalidInput(fields.error);
    await enforceRateLimit(limitRule("passkey-user", user.id));
    await checkOwnPasskey(fields.data.response, user);
  } catch (error) {
    return formRefused({ error });
  }
  const { redirectTo } = fields.data;
  return confirmIdentity(user, { way: "passkey", locale, redirectTo });
}
