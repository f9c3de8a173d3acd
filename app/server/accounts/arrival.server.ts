import { ACTIONS, creditsFor } from "~/catalog";
import type { Locale } from "~/i18n/locale";
import { findEmailAccount } from "~/models/accounts/users.server";
import { mainAction } from "~/models/actions/registry.server";
import { getBalance } from "~/models/credits/balance.server";
import { startItemCheckout } from "~/server/payments/item-checkout.server";
import { logFault } from "~/server/request/log-fault.server";
import type { WantedItem } from "~/services/payments/checkout-request";
import { readWantedItem } from "~/services/payments/wanted-item";
import { AppError } from "~/utils/app-error";
import { safeRedirect } from "~/utils/safe-redirect";

interface Arrival {
  userId: string;
  locale: Locale;
  /** The page that the person was on the way to. */
  redirectTo: string | undefined;
}

/**
 * Returns where a person goes who has just got in, in whatever way: on to the page they came for, or else to
 * their start page. Whoever came for a checkout gets to the provider's page at once. Not for a GET: it may
 * start a checkout.
 */
export async function arrive({ userId, locale, redirectTo }: Arrival): Promise<string> {
  const aim = safeRedirect(redirectTo, "");
  if (aim === "") return findStartPage({ userId, locale });
  const item = readWantedItem(aim);
  return (item && (await tryCheckout(item, { userId, locale }))) || aim;
}

/** The main action's page for those whose credits pay for a unit of it, the account's overview for all others. */
async function findStartPage({ userId, locale }: Omit<Arrival, "redirectTo">): Promise<string> {
  const action = mainAction();
  const isPaid = action !== null && (await getBalance(userId)) >= creditsFor(action, 1);
  return `/${locale}${isPaid ? ACTIONS[action].page : "/account"}`;
}

/** Where a signed-in visitor of a sign-in page goes. Changes nothing. */
export async function passOn({ userId, locale, redirectTo }: Arrival): Promise<string> {
  return safeRedirect(redirectTo, "") || (await findStartPage({ userId, locale }));
}

/** Returns the provider's page; null if the checkout can't start, which the page of the item explains. */
async function tryCheckout(
  item: WantedItem,
  { userId, locale }: Omit<Arrival, "redirectTo">,
): Promise<string | null> {
  const account = await findEmailAccount({ id: userId });
  if (!account) return null;
  const { email, emailVerifiedAt } = account;
  try {
    const buyer = { userId, email, emailVerified: emailVerifiedAt !== null, locale };
    return await startItemCheckout(item, buyer);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logFault(error);
    return null;
  }
}
