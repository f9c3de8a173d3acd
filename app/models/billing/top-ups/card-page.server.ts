import { type Database, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { ownSite } from "~/models/billing/customers/installation.server";
import { findOwnCustomer } from "~/models/billing/customers/provider-customers.server";
import { getTopUpSettings } from "~/models/billing/top-ups/settings.server";
import { type ChosenTerms, requestCard } from "~/models/billing/top-ups/terms.server";
import { ensureAccount } from "~/models/credits/accounts.server";
import type { KeptCards } from "~/services/payments/kept-cards";
import { providerError } from "~/services/payments/payment-faults";
import { AppError } from "~/utils/app-error";

interface CardPageRequest {
  user: { id: string; email: string };
  /** The language of the page that the owner returns to. */
  locale: string;
  terms: ChosenTerms;
}

/**
 * Returns the address of the provider's page on which a card is kept for these terms. They count once its event has come: until then
 * nothing is charged by them. A customer that the provider has lost is made again.
 * @throws AppError 401 unauthenticated: the account was deleted meanwhile; 502 provider_error
 */
export async function startCardPage(
  { user, locale, terms }: CardPageRequest,
  cards: KeptCards,
  db: Database = getDb(),
): Promise<string> {
  const { id: userId, email } = user;
  const site = ownSite();
  const { customerId: known } = await getTopUpSettings(terms.accountId, db);
  const own = known ?? (await findOwnCustomer({ provider: "stripe", userId }, db));
  await ensureAccount(terms.accountId, db);
  const open = async (customerId: string) => {
    const named = await db.$transaction((it) => requestCard({ ...terms, customerId }, it));
    if (!named) throw accountDeleted();
    const { requestId } = named;
    const url = new URL(`/${locale}/account/billing/top-up`, getEnv().siteUrl).href;
    return cards.createCardPage({
      ...{ requestId, userId, site, customerId },
      ...{ successUrl: url, cancelUrl: url },
    });
  };
  const page =
    (own ? await open(own) : null) ??
    (await open(await cards.createCustomer({ userId, site, email })));
  if (!page) throw providerError(new Error("the provider has no customer"));
  return page.url;
}

const accountDeleted = () =>
  new AppError({
    code: "unauthenticated",
    publicMessage: "This account was deleted. Nothing was charged or changed.",
  });
