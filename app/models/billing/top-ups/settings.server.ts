import { randomUUID } from "node:crypto";
import { amountOf, CURRENCY, findPack, type Pack, type SkuKey } from "~/catalog";
import { type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import type { TopUpOff, TopUpStatus } from "~/generated/prisma/enums";
import { IS_ON } from "~/models/billing/top-ups/is-on.server";
import { queueEmail } from "~/models/emails/outbox.server";
import { addJob } from "~/models/jobs/add-job.server";
import { toMinorUnits } from "~/utils/money";

/** The terms that an owner agreed to, or is about to. Amounts in minor units. */
export interface TopUpTerms {
  /** Credits; fewer start a top-up. */
  threshold: number;
  skuKey: string;
  monthlyAmount: number;
  agreedAmount: number;
  agreedCurrency: string;
}

export interface TopUpSettings {
  /** Null where it was never set up. */
  terms: TopUpTerms | null;
  agreedAt: Date | null;
  /** The kept card; null while there is none. */
  card: { customerId: string; paymentMethodId: string } | null;
  customerId: string | null;
  off: { at: Date; reason: TopUpOff } | null;
  /** Whether a page is open that may still keep a card. */
  isWaiting: boolean;
}

/** Returns what an account's owner chose. */
export async function getTopUpSettings(
  accountId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<TopUpSettings> {
  const row = await db.accountSettings.findUnique({ where: { accountId } });
  const { threshold, skuKey, monthlyAmount, agreedAmount, agreedCurrency } = row ?? {};
  const hasTerms = threshold && skuKey && monthlyAmount && agreedAmount && agreedCurrency;
  const customerId = row?.providerCustomerId ?? null;
  const paymentMethodId = row?.paymentMethodId ?? null;
  return {
    terms: hasTerms
      ? {
          ...{ threshold, skuKey, agreedCurrency },
          monthlyAmount: toMinorUnits(monthlyAmount),
          agreedAmount: toMinorUnits(agreedAmount),
        }
      : null,
    agreedAt: row?.agreedAt ?? null,
    customerId,
    card: customerId && paymentMethodId ? { customerId, paymentMethodId } : null,
    off: row?.offAt && row.offReason ? { at: row.offAt, reason: row.offReason } : null,
    isWaiting: Boolean(row?.cardRequest),
  };
}

/** The terms that a form offers, at the catalog's present price. */
export interface ChosenTerms {
  accountId: string;
  threshold: number;
  skuKey: SkuKey;
  monthlyAmount: number;
}

/**
 * Writes what the owner agrees to, at the pack's present price. With `customerId` a new card is asked for: the id that is returned
 * names the page that keeps it, and one named before has no effect any more. Otherwise the kept card is charged from now
 * on; null if there is none. Either way the threshold is armed: the owner has just said that packs are wanted.
 */
export async function saveTerms(
  {
    accountId,
    threshold,
    skuKey,
    monthlyAmount,
    customerId,
  }: ChosenTerms & { customerId: string | null },
  transaction: Transaction,
): Promise<{ requestId: string } | { requestId: null } | null> {
  const requestId = customerId === null ? null : randomUUID();
  const amount = amountOf({ type: "pack", skuKey });
  const written = await transaction.$executeRaw`
    INSERT INTO account_settings AS settings (account_id, threshold, sku_key, monthly_amount,
      agreed_amount, agreed_currency, card_request, provider_customer_id)
    SELECT ${accountId}::uuid, ${threshold}::int, ${skuKey}, ${monthlyAmount}::bigint, ${amount}::bigint, ${CURRENCY},
      ${requestId}::uuid, ${customerId}
    WHERE ${requestId}::uuid IS NOT NULL OR EXISTS (
      SELECT FROM account_settings WHERE account_id = ${accountId}::uuid AND payment_method_id IS NOT NULL)
    ON CONFLICT (account_id) DO UPDATE SET threshold = excluded.threshold, sku_key = excluded.sku_key,
      monthly_amount = excluded.monthly_amount, agreed_amount = excluded.agreed_amount,
      agreed_currency = excluded.agreed_currency, card_request = excluded.card_request,
      provider_customer_id = CASE WHEN settings.payment_method_id IS NULL
        THEN coalesce(excluded.provider_customer_id, settings.provider_customer_id)
        ELSE settings.provider_customer_id END,
      agreed_at = CASE WHEN ${IS_ON} OR excluded.card_request IS NULL THEN now() ELSE settings.agreed_at END,
      off_at = CASE WHEN excluded.card_request IS NOT NULL THEN settings.off_at END,
      off_reason = CASE WHEN excluded.card_request IS NOT NULL THEN settings.off_reason END
    WHERE excluded.card_request IS NOT NULL OR settings.payment_method_id IS NOT NULL`;
  if (written === 0) return null;
  await armAgain(accountId, transaction);
  return { requestId };
}

/** Keeps the card of the page that `requestId` names, from now on. One of a page without effect is forgotten again. */
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
  await transaction.accountSettings.update({
    where: { accountId },
    data: {
      ...{ paymentMethodId, providerCustomerId: customerId, cardRequest: null },
      ...{ offAt: null, offReason: null },
    },
  });
  await transaction.$executeRaw`
    UPDATE account_settings SET agreed_at = now() WHERE account_id = ${accountId}::uuid`;
  if (earlier.id) await forgetCard(earlier.id, transaction);
  await armAgain(accountId, transaction);
}

/** Has the provider forget a card, by a job: until then it is charged by nobody, because no row names it. */
const forgetCard = (paymentMethodId: string, transaction: Transaction): Promise<void> =>
  addJob("kept-cards", { paymentMethodId }, transaction);

/** Lets the next spend below the threshold start a top-up. */
async function armAgain(accountId: string, transaction: Transaction): Promise<void> {
  await transaction.crossing.deleteMany({ where: { accountId, watcher: "top_up" } });
}

/**
 * Turns top-up off, and ends a page that would keep a card for it. For every reason but the owner's own, the owner gets an email.
 * One that is off stays as it is. A card that the owner or the provider took away is forgotten here.
 */
export async function turnOffTopUp(
  { accountId, reason }: { accountId: string; reason: TopUpOff },
  transaction: Transaction,
): Promise<void> {
  const [was] = await transaction.$queryRaw<{ isOn: boolean; paymentMethodId: string | null }[]>`
    SELECT ${IS_ON} AS "isOn", payment_method_id AS "paymentMethodId"
    FROM account_settings settings WHERE account_id = ${accountId}::uuid AND threshold IS NOT NULL
    FOR UPDATE`;
  if (!was) return;
  const isCardGone = reason === "owner" || reason === "card_removed";
  const [off] = await transaction.$queryRaw<{ at: Date | null }[]>`
    UPDATE account_settings SET card_request = NULL,
      payment_method_id = CASE WHEN ${isCardGone} THEN NULL ELSE payment_method_id END,
      off_at = coalesce(off_at, now()),
      off_reason = CASE WHEN off_at IS NULL OR ${reason === "owner"} THEN ${reason}::top_up_off ELSE off_reason END
    WHERE account_id = ${accountId}::uuid RETURNING off_at AS at`;
  if (reason === "owner" && was.paymentMethodId) await forgetCard(was.paymentMethodId, transaction);
  if (reason === "owner" || !was.isOn || !off?.at) return;
  const at = off.at.toISOString();
  await queueEmail(
    {
      kind: "top_up_off",
      // A person's account has the person's id.
      userId: accountId,
      data: { reason, at },
      key: `top_up_off:${accountId}:${at}`,
    },
    transaction,
  );
}

/** An attempt as its owner sees it. Amounts in minor units. */
export interface ListedTopUp {
  id: string;
  skuKey: string;
  amount: number;
  currency: string;
  status: TopUpStatus;
  reason: string | null;
  createdAt: Date;
}

/** The newest attempts. */
export async function listTopUps(
  { accountId, limit }: { accountId: string; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<ListedTopUp[]> {
  const rows = await db.topUp.findMany({
    where: { accountId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit,
    select: {
      ...{ id: true, skuKey: true, amount: true, currency: true },
      ...{ status: true, reason: true, createdAt: true },
    },
  });
  return rows.map((row) => ({ ...row, amount: toMinorUnits(row.amount) }));
}

/** The pack of these terms, if it costs what was agreed to. */
export function findAgreedPack(
  terms: Pick<TopUpTerms, "skuKey" | "agreedAmount" | "agreedCurrency">,
): Pack | null {
  const pack = findPack(terms.skuKey);
  if (!pack || terms.agreedCurrency !== CURRENCY) return null;
  return amountOf({ type: "pack", skuKey: pack.skuKey }) === terms.agreedAmount ? pack : null;
}
