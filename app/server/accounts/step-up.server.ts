import { redirect } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { isSessionFresh } from "~/models/accounts/reauthentication.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { keepForm, type RepeatedForm } from "~/server/accounts/repeated-form.server";
import { AppError } from "~/utils/app-error";

/**
 * Admits a sensitive action of a page if the person proved who they are within the last ten minutes.
 * Otherwise sends them to the page that asks for it. From there the browser sends `form` again; without one
 * it goes back to `path`, the page with the form.
 */
export async function requireFreshPage(
  user: SessionUser,
  { locale, path, form }: { locale: Locale; path: string; form?: RepeatedForm },
): Promise<void> {
  if (await isSessionFresh(user.sessionId)) return;
  const query = new URLSearchParams({ redirectTo: path });
  if (form) query.set("step", await keepForm(user, form));
  throw redirect(`/${locale}/account/confirm?${query}`, 303);
}

/** Likewise for a JSON route. @throws AppError 403 reauthentication_required */
export async function requireFreshSession(user: SessionUser): Promise<void> {
  if (await isSessionFresh(user.sessionId)) return;
  throw new AppError({
    code: "reauthentication_required",
    publicMessage:
      "Sign in again first: this needs a sign-in within the last ten minutes. Nothing was changed.",
  });
}
