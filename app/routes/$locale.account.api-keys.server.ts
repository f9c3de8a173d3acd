import { parseWithZod } from "@conform-to/zod/v4";
import { data, redirect } from "@remix-run/node";
import { getEnv, isLocalHost } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import { createApiKey, revokeApiKey } from "~/models/accounts/api-keys.server";
import { getPasswordHash } from "~/models/accounts/passwords.server";
import { isSessionFresh } from "~/models/accounts/reauthentication.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { hasTotp } from "~/models/accounts/totp.server";
import { requirePassword } from "~/server/accounts/check-password.server";
import { requireFreshPage } from "~/server/accounts/step-up.server";
import { formRefused } from "~/server/request/form-refused.server";
import { apiKeySchema } from "~/services/auth/account-forms";
import { AppError } from "~/utils/app-error";
import { securityEvent } from "~/utils/security-event.server";

interface Posted {
  form: FormData;
  user: SessionUser;
  locale: Locale;
}

/**
 * Returns what the form has to ask for before it makes a key: nothing for ten minutes after a sign-in, then the
 * password, or more than a form of ours can ask for.
 */
export async function neededProof({
  id,
  sessionId,
}: SessionUser): Promise<"none" | "password" | "more"> {
  if (await isSessionFresh(sessionId)) return "none";
  const [hash, withApp] = await Promise.all([getPasswordHash(id), hasTotp(id)]);
  return hash !== null && !withApp ? "password" : "more";
}

/** Makes a key. The response is the only place that has it. */
export async function createFromForm({ form, user, locale }: Posted) {
  const submission = parseWithZod(form, { schema: apiKeySchema });
  const hide = ["currentPassword"];
  if (submission.status !== "success") return formRefused({ submission, hide });
  const {
    currentPassword,
    expiresInDays = null,
    monthlyLimit = null,
    formId = null,
    ...wanted
  } = submission.value;
  const { id: userId } = user;
  const proof = await neededProof(user);
  if (proof === "more")
    await requireFreshPage(user, { locale, path: `/${locale}/account/api-keys` });
  try {
    if (proof === "password") await requirePassword({ userId, password: currentPassword ?? "" });
    const mode = isLocalHost(getEnv().siteUrl.hostname) ? "test" : "live";
    const made = await createApiKey({
      userId,
      ...wanted,
      expiresInDays,
      monthlyLimit,
      mode,
      formId,
    });
    if (made.status === "repeated") return redirect(`/${locale}/account/api-keys`, 303);
    if (made.status === "too_many") throw tooManyKeys();
    const details = { change: "made" };
    securityEvent("api_key_changed", { outcome: "success", userId, details });
    return data({ result: undefined, made: { apiKey: made.key, scopes: wanted.scopes } });
  } catch (error) {
    return formRefused({ submission, hide, error });
  }
}

/** Ends a key. It needs no proof: whoever holds a session may take power away. */
export async function revokeFromForm({ form, user, locale }: Posted) {
  const userId = user.id;
  const revoked = await revokeApiKey({ userId, keyId: String(form.get("keyId") ?? "") });
  const details = { change: "revoked" };
  if (revoked) securityEvent("api_key_changed", { outcome: "success", userId, details });
  return redirect(`/${locale}/account/api-keys?done=revoked`, 303);
}

function tooManyKeys(): AppError {
  return new AppError({
    code: "too_many_keys",
    publicMessage: "You have 20 keys, so nothing was made. Revoke one that you no longer need.",
  });
}
