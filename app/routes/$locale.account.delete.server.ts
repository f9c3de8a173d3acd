import { parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { deleteAccount, listRenewingSubscriptions } from "~/models/accounts/deletion.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { confirmEnding } from "~/models/billing/cancellations/cancellations.server";
import { expireCheckouts } from "~/models/billing/checkouts/open-checkouts.server";
import { endOpenTopUp } from "~/models/billing/top-ups/open-top-ups.server";
import { accountOf } from "~/models/metering/runs.server";
import { wrongPassword } from "~/server/accounts/check-password.server";
import { confirmPassword } from "~/server/accounts/confirm-password.server";
import { signOutHeaders } from "~/server/accounts/session.server";
import { requireFreshPage } from "~/server/accounts/step-up.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { formRefused } from "~/server/request/form-refused.server";
import { readForm } from "~/server/request/read-body.server";
import { deleteAccountSchema } from "~/services/auth/account-forms";
import {
  getPaymentProvider,
  requireKeptCards,
} from "~/services/payments/get-payment-provider.server";
import { AppError } from "~/utils/app-error";
import { securityEvent } from "~/utils/security-event.server";

/**
 * Deletes the account after a fresh proof and a correct password, once every plan's provider has confirmed that the plan
 * ends. Checkouts that are still open end with it.
 */
export async function deleteFromForm(request: Request, user: SessionUser, locale: Locale) {
  await requireFreshPage(user, { locale, path: `/${locale}/account/delete` });
  const form = await readForm(request, Object.keys(deleteAccountSchema.shape));
  const submission = parseWithZod(form, { schema: deleteAccountSchema });
  const hide = ["currentPassword"];
  if (submission.status !== "success") return formRefused({ submission, hide });
  try {
    // Before the password: a user who can't delete the account needn't give it.
    await enforceRateLimit(limitRule("delete-account-user", user.id));
    if ((await listRenewingSubscriptions(user.id)).length > 0) throw planRunning();
    const password = submission.value.currentPassword;
    const checkedHash = await confirmPassword(user.id, password);
    const endingSubscriptions = await confirmEnding({ userId: user.id }, getPaymentProvider);
    if (!endingSubscriptions) throw planRunning();
    await endOpenTopUp(accountOf(user), requireKeptCards());
    const result = await deleteAccount({ userId: user.id, checkedHash, endingSubscriptions });
    if (result.status === "plan_running") throw planRunning();
    if (result.status === "generation_running") throw generationRunning();
    if (result.status === "top_up_running") throw topUpRunning();
    if (result.status === "changed_meanwhile") throw wrongPassword();
    await expireCheckouts(result.openCheckouts, getPaymentProvider);
  } catch (error) {
    return formRefused({ submission, hide, error });
  }
  const { id: userId, sessionId } = user;
  securityEvent("account_deleted", { outcome: "success", userId, sessionId });
  const headers = await signOutHeaders(request);
  return redirect(`/${locale}/sign-in?done=deleted`, { status: 303, headers });
}

function planRunning(): AppError {
  return new AppError({
    code: "plan_running",
    publicMessage: "Your plan is still running, so nothing was deleted. Cancel it first.",
  });
}

function topUpRunning(): AppError {
  return new AppError({
    code: "top_up_running",
    publicMessage:
      "A payment for an automatic top-up is on its way, so nothing was deleted. Automatic top-up is off now. Try again in a few minutes.",
  });
}

function generationRunning(): AppError {
  return new AppError({
    code: "generation_running",
    publicMessage:
      "Something you've paid for is still being made, so nothing was deleted. Your API keys no longer work, so that nothing new begins. Try again in a few minutes.",
  });
}
