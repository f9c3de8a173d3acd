import { parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { listReauthenticationMethods } from "~/models/accounts/reauthentication-methods.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { requireCode } from "~/server/accounts/check-code.server";
import { requirePassword } from "~/server/accounts/check-password.server";
import { confirmIdentity } from "~/server/accounts/confirm-identity.server";
import { checkOwnPasskey } from "~/server/accounts/passkeys.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { formRefused } from "~/server/request/form-refused.server";
import { invalidInput } from "~/server/request/read-body.server";
import { confirmIdentitySchema } from "~/services/auth/account-forms";
import { passkeyFormSchema } from "~/services/auth/passkey-response";

interface Posted {
  form: FormData;
  user: SessionUser;
  locale: Locale;
}

/** The account's password, its app's code, or both, as far as it has them. */
export async function confirmByForm(request: Request, { form, user, locale }: Posted) {
  const submission = parseWithZod(form, { schema: confirmIdentitySchema });
  const hide = ["currentPassword", "code"];
  if (submission.status !== "success") return formRefused({ submission, hide });
  const { currentPassword, code, redirectTo, step } = submission.value;
  const proofs = await listReauthenticationMethods(user.id);
  // The page of an account with neither has no such form.
  if (proofs.elsewhere) return redirect(`/${locale}/account/confirm`, 303);
  const fieldErrors: Record<string, ["validation.required"]> = {
    ...(proofs.password && !currentPassword ? { currentPassword: ["validation.required"] } : {}),
    ...(proofs.code && !code ? { code: ["validation.required"] } : {}),
  };
  if (Object.keys(fieldErrors).length > 0) return formRefused({ submission, hide, fieldErrors });
  try {
    if (proofs.password)
      await requirePassword({ userId: user.id, password: currentPassword ?? "" });
    if (proofs.code) await requireCode({ request, userId: user.id, code: code ?? "" });
  } catch (error) {
    return formRefused({ submission, hide, error });
  }
  const way = proofs.password ? "password" : "code";
  return confirmIdentity(user, { way, locale, redirectTo, step });
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
  const { redirectTo, step } = fields.data;
  return confirmIdentity(user, { way: "passkey", locale, redirectTo, step });
}
