import { redirect } from "@remix-run/node";
import type { MemberPlan } from "~/components/pricing/member-plan";
import type { Locale } from "~/i18n/locale";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { getRunningSubscription } from "~/models/billing/subscriptions/management.server";
import { showSubscription } from "~/models/billing/subscriptions/shown-subscription";
import { entryPath } from "~/server/accounts/entry-page.server";
import { startItemCheckout } from "~/server/payments/item-checkout.server";
import { formRefused } from "~/server/request/form-refused.server";
import { invalidInput, readForm } from "~/server/request/read-body.server";
import { CHECKOUT_FIELDS, checkoutFormSchema } from "~/services/payments/checkout-request";
import { wantedItemPath } from "~/services/payments/wanted-item";

/** Returns the user's running plan; null if there is none. */
export async function findMemberPlan(userId: string): Promise<MemberPlan | null> {
  const running = await getRunningSubscription(userId);
  return running && showSubscription(running, new Date());
}

/**
 * Starts the checkout that a Buy button asks for and redirects to it. A visitor is sent to create an account
 * first, and from there to the checkout of the same item.
 */
export async function checkoutFromForm(
  request: Request,
  { user, locale }: { user: SessionUser | null; locale: Locale },
) {
  const fields = Object.fromEntries(await readForm(request, CHECKOUT_FIELDS));
  const form = checkoutFormSchema.safeParse(fields);
  try {
    if (!form.success) throw invalidInput(form.error);
    const item = form.data;
    if (!user) {
      const redirectTo = wantedItemPath(locale, item);
      return redirect(await entryPath(request, { locale, redirectTo }), 303);
    }
    const { id: userId, email, emailVerified } = user;
    const buyer = { userId, email, emailVerified, locale };
    return redirect(await startItemCheckout(item, buyer), 303);
  } catch (error) {
    return formRefused({ error });
  }
}
