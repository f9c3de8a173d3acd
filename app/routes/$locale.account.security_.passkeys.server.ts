import { redirect } from "@remix-run/node";
import { getEnv } from "~/env.server";
import type { Locale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import { removePasskey, renamePasskey } from "~/models/accounts/passkeys.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { registerPasskey } from "~/server/accounts/passkeys.server";
import { formRefused } from "~/server/request/form-refused.server";
import { invalidInput } from "~/server/request/read-body.server";
import { passkeySchema } from "~/services/auth/account-forms";
import { enabledProviders } from "~/services/auth/oauth/oauth-endpoints";
import { passkeyFormSchema } from "~/services/auth/passkey-response";
import { AppError } from "~/utils/app-error";
import { securityEvent } from "~/utils/security-event.server";

interface Posted {
  form: FormData;
  user: SessionUser;
  locale: Locale;
}

const doneAt = (locale: Locale, done: string) =>
  redirect(`/${locale}/account/security/passkeys?done=${done}`, 303);

/** Adds the passkey that the browser made. */
export async function addFromForm(request: Request, { form, user, locale }: Posted) {
  const fields = passkeyFormSchema.safeParse(Object.fromEntries(form));
  try {
    if (!fields.success) throw invalidInput(fields.error);
    await registerPasskey(fields.data.response, {
      user,
      userAgent: request.headers.get("User-Agent"),
      fallbackName: translatorFor(locale)("passkeys.unnamed"),
    });
    return doneAt(locale, "added");
  } catch (error) {
    return formRefused({ error });
  }
}

/** Gives a passkey another name. */
export async function renameFromForm({ form, user, locale }: Posted) {
  const fields = passkeySchema.safeParse(Object.fromEntries(form));
  if (!fields.success) return formRefused({ error: invalidInput(fields.error) });
  await renamePasskey({ userId: user.id, ...fields.data });
  return doneAt(locale, "renamed");
}

/** Removes a passkey, unless it is the last way into the account. */
export async function removeFromForm({ form, user, locale }: Posted) {
  const passkeyId = String(form.get("passkeyId") ?? "");
  const { status } = await removePasskey({
    userId: user.id,
    passkeyId,
    enabled: enabledProviders(getEnv().oauth),
  });
  if (status === "last_way_in") {
    securityEvent("factor_changed", {
      outcome: "failure",
      userId: user.id,
      reason: "last_way_in",
      details: { change: "passkey_removed" },
    });
    return formRefused({ error: lastSignInMethod() });
  }
  if (status === "removed")
    securityEvent("factor_changed", {
      outcome: "success",
      userId: user.id,
      details: { change: "passkey_removed" },
    });
  return doneAt(locale, "removed");
}

function lastSignInMethod(): AppError {
  return new AppError({
    code: "last_way_in",
    publicMessage:
      "This passkey is your only way to sign in, so nothing was changed. Set a password first.",
  });
}
