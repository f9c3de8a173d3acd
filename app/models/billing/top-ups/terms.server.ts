import { randomUUID } from "node:crypto";
import { amountOf, CURRENCY, findPack, type SkuKey } from "~/catalog";
import type { Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { AgreedTerms, CardTerms } from "~/models/billing/top-ups/settings.server";
import { addJob } from "~/models/jobs/add-job.server";
import { IS_TOMBSTONE } from "~/models/tombstones.server";

/** The terms that a form offers, for a pack as the catalog has it now: whoever calls this has compared it with what the owner saw. */
export interface ChosenTerms {
  accountId: string;
  /** Credits. */
  threshold: number;
  skuKey: SkuKey;
  /** Minor units. */
  monthlyAmount: number;
}

function termsOf({ threshold, skuKey, monthlyAmount }: ChosenTerms): AgreedTerms {
  const pack = findPack(skuKey);
  if (!pack) throw new Error(`the catalog has no pack ${skuKey}`);
  return {
    ...{ threshold, skuKey, monthlyAmount },
    agreedAmount: amountOf({ type: "pack", skuKey }),
    agreedCurrency: CURRENCY,
    agreedCredits: pack.credits,
  };
}

/**
 * Writes what the owner agrees to for the card that is kept, from now on. Returns false if there is none. A page that is open
 * keeps no card any more. The mark is armed: the owner has just said that packs are wanted.
 */
export async function agreeToTerms(
  chosen: ChosenTerms,
  transaction: Transaction,
): Promise<boolean> {
  const { accountId } = chosen;
  const { threshold, skuKey, monthlyAmount, ...agreed } = termsOf(chosen);
  const { count } = await transaction.accountSettings.updateMany({
    where: { accountId, paymentMethodId: { not: null } },
    data: {
      ...{ threshold, skuKey, monthlyAmount, ...agreed },
      ...{ cardRequest: null, cardTerms: Prisma.DbNull, offAt: null, offReason: null },
    },
  });
  if (count === 0) return false;
  await noteAgreement(accountId, transaction);
  return true;
}

/**
 * Names a page on which the owner has a card kept for these terms. They count once it is: until then the card that is kept is charged
 * by the terms that it was kept for. A page that was named before has no effect any more. Null if the account was deleted, which
 * waits for this, or this for it.
 */
export async function requestCard(
  { customerId, ...chosen }: ChosenTerms & { customerId: string },
  transaction: Transaction,
): Promise<{ requestId: string } | null> {
  // A person's account has the person's id.
  const people = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${chosen.accountId}::uuid AND NOT ${IS_TOMBSTONE} FOR KEY SHARE`;
  if (people.length === 0) return null;
  const requestId = randomUUID();
  const terms = JSON.stringify({ requestId, ...termsOf(chosen) } satisfies CardTerms);
  await transaction.$executeRaw`
    INSERT INTO account_settings AS settings (account_id, card_request, card_terms, provider_customer_id)
    VALUES (${chosen.accountId}::uuid, ${requestId}::uuid, ${terms}::jsonb, ${customerId})
    ON CONFLICT (account_id) DO UPDATE SET card_request = excluded.card_request, card_terms = excluded.card_terms,
      provider_customer_id = CASE WHEN settings.payment_method_id IS NULL
        THEN excluded.provider_customer_id ELSE settings.provider_customer_id END`;
  return { requestId };
}

/**
 * Keeps the card of the page that `requestId` names, on its terms, from now on. One of a page without effect is forgotten again. Terms
 * that name another page are none of its: a version that kept no terms with a page has written this one's over those that count.
 */
export async function keepCard(
  card: { accountId: string; requestId: string; customerId: string; paymentMethodId: string },
  transaction: Transaction,
): Promise<void> {
  const { accountId, requestId, customerId, paymentMethodId } = card;
  const [earlier] = await transaction.$queryRaw<{ id: string | null; isWanted: boolean }[]>`
    SELECT payment_method_id AS id, card_request IS NOT DISTINCT FROM ${requestId}::uuid AS "isWanted"
    FROM account_settings WHERE account_id = ${accountId}::uuid FOR UPDATE`;
  // A copy of the event.
  if (earlier?.id === paymentMethodId) return;
  if (!earlier?.isWanted) return forgetCard(paymentMethodId, transaction);
  await transaction.$executeRaw`
    UPDATE account_settings settings SET
      threshold = coalesce(asked.threshold, settings.threshold), sku_key = coalesce(asked."skuKey", sku_key),
      monthly_amount = coalesce(asked."monthlyAmount", monthly_amount),
      agreed_amount = coalesce(asked."agreedAmount", agreed_amount),
      agreed_currency = coalesce(asked."agreedCurrency", agreed_currency), agreed_credits = asked."agreedCredits",
      payment_method_id = ${paymentMethodId}, provider_customer_id = ${customerId},
      card_request = NULL, card_terms = NULL, off_at = NULL, off_reason = NULL
    FROM jsonb_to_record((
        SELECT card_terms FROM account_settings WHERE account_id = ${accountId}::uuid
          AND coalesce(card_terms ->> 'requestId', ${requestId}) = ${requestId})) AS asked
      (threshold int, "skuKey" text, "monthlyAmount" bigint, "agreedAmount" bigint, "agreedCurrency" text,
        "agreedCredits" int)
    WHERE account_id = ${accountId}::uuid`;
  if (earlier.id) await forgetCard(earlier.id, transaction);
  await noteAgreement(accountId, transaction);
}

/** Has the provider forget a card, by a job: until then it is charged by nobody, because no row names it. */
export const forgetCard = (paymentMethodId: string, transaction: Transaction): Promise<void> =>
  addJob("kept-cards", { paymentMethodId }, transaction);

/** Notes when the owner agreed, by the database's clock, and lets the next spend below the mark start a top-up. */
async function noteAgreement(accountId: string, transaction: Transaction): Promise<void> {
  await transaction.$executeRaw`
    UPDATE account_settings SET agreed_at = now() WHERE account_id = ${accountId}::uuid`;
  await transaction.crossing.deleteMany({ where: { accountId, watcher: "top_up" } });
}
