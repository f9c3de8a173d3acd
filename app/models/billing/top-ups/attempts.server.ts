import { findPack } from "~/catalog";
import type { Transaction } from "~/db.server";
import type { TopUp } from "~/generated/prisma/client";
import { Prisma } from "~/generated/prisma/client";
import type { TopUpStatus } from "~/generated/prisma/enums";
import { IS_AGREED, IS_ON } from "~/models/billing/top-ups/is-on.server";
import { countsIn, IS_OF_THIS_MONTH } from "~/models/billing/top-ups/month.server";
import { findAgreedPack } from "~/models/billing/top-ups/settings.server";
import { turnOffTopUp } from "~/models/billing/top-ups/turn-off.server";
import { lockAccount } from "~/models/credits/accounts.server";
import { spendableCredits } from "~/models/credits/balance.server";
import { addJob } from "~/models/jobs/add-job.server";
import { IS_TOMBSTONE } from "~/models/tombstones.server";
import { toMinorUnits } from "~/utils/money";

/** Statuses of an attempt for which money may be taken, or was taken and its credits haven't come yet. */
export const OPEN_STATUSES: TopUpStatus[] = ["claimed", "asked", "unknown"];

// Locks, in the order of docs/rules.md: user, top-up, credit account, settings. The user's key lock comes first, because the emails
// name them and a deletion of the account waits for this row.

/**
 * Claims the attempt of a crossing, on the terms that its owner agreed to, and adds its job. A crossing has one attempt at most.
 * Returns false while another attempt is open: the crossing waits for its end.
 */
export async function claimTopUp(
  { crossingId, accountId }: { crossingId: string; accountId: string },
  transaction: Transaction,
): Promise<boolean> {
  const claimed = await transaction.$queryRaw<{ topUpId: string }[]>`
    INSERT INTO top_ups (account_id, crossing_id, sku_key, amount, currency, credits, provider_customer_id,
      payment_method_id)
    SELECT account_id, ${crossingId}::uuid, sku_key, agreed_amount, agreed_currency, agreed_credits,
      provider_customer_id, payment_method_id
    FROM account_settings settings WHERE account_id = ${accountId}::uuid AND ${IS_ON}
    ON CONFLICT DO NOTHING RETURNING id AS "topUpId"`;
  for (const data of claimed) await addJob("top-ups", data, transaction);
  return claimed.length > 0 || (await transaction.topUp.count({ where: { crossingId } })) > 0;
}

/** Locks an attempt's user and the attempt. */
export async function lockTopUp(topUpId: string, transaction: Transaction): Promise<TopUp | null> {
  await transaction.$queryRaw`
    SELECT 1 FROM users WHERE id = (SELECT account_id FROM top_ups WHERE id = ${topUpId}::uuid) FOR KEY SHARE`;
  await transaction.$queryRaw`SELECT 1 FROM top_ups WHERE id = ${topUpId}::uuid FOR UPDATE`;
  return transaction.topUp.findUnique({ where: { id: topUpId } });
}

interface Conditions {
  isDeleted: boolean;
  isDisabled: boolean;
  isOn: boolean;
  isDisputed: boolean;
  isAgreed: boolean;
  isBelow: boolean;
  /** Not asked yet, or asked first in this month, in which it counts. */
  isOfThisMonth: boolean;
  isAffordable: boolean;
  isBuying: boolean;
}

/** Reasons against a sale of the agreed pack at the agreed price. */
export type SaleFault = "not_offered" | "not_sold" | "price";

/** Minutes in which an open checkout says that the owner is about to buy by hand. */
const CHECKOUT_MINUTES = 30;

/**
 * Whether the provider may be asked for an attempt now: null if so, otherwise why not. Turns top-up off where that is the reason. The
 * attempt is locked; this locks the account and its settings, so that what is read holds until the transaction ends.
 */
export async function findObstacle(
  topUp: TopUp,
  { saleFault }: { saleFault: SaleFault | null },
  transaction: Transaction,
): Promise<string | null> {
  const { id, accountId } = topUp;
  await lockAccount(accountId, transaction);
  await transaction.$queryRaw`
    SELECT 1 FROM account_settings WHERE account_id = ${accountId}::uuid FOR UPDATE`;
  const now = await readConditions(id, transaction);
  const turnOff = async (reason: "dispute" | "disabled" | "price" | "not_sold") => {
    await turnOffTopUp({ accountId, reason }, transaction);
    return reason;
  };
  if (saleFault === "not_offered") return saleFault;
  if (!now || now.isDeleted || !now.isOn) return "off";
  if (now.isDisabled) return turnOff("disabled");
  if (now.isDisputed) return turnOff("dispute");
  if (!now.isAgreed) return "terms_changed";
  if (saleFault) return turnOff(saleFault);
  if (!now.isOfThisMonth) return "month_over";
  if (!now.isBelow) return "enough_credits";
  if (!now.isAffordable) return "monthly_amount";
  return now.isBuying ? "checkout_open" : null;
}

/** Whether the catalog's pack is what the owner agreed to. */
export function findCatalogFault({ skuKey, amount, currency, credits }: TopUp): SaleFault | null {
  if (!findPack(skuKey)) return "not_sold";
  const agreed = { agreedAmount: toMinorUnits(amount), agreedCurrency: currency };
  return findAgreedPack({ skuKey, ...agreed, agreedCredits: credits }) ? null : "price";
}

/** The month's sum counts what was asked for in this calendar month (UTC), and may have been taken. */
async function readConditions(
  id: string,
  transaction: Transaction,
): Promise<Conditions | undefined> {
  const [read] = await transaction.$queryRaw<Conditions[]>`
    SELECT ${IS_TOMBSTONE} AS "isDeleted", disabled_at IS NOT NULL AS "isDisabled", ${IS_ON} AS "isOn",
      EXISTS (
        SELECT FROM payment_returns
          LEFT JOIN orders ON orders.id = order_id
          LEFT JOIN subscription_periods period ON period.id = period_id
          LEFT JOIN subscriptions ON subscriptions.id = period.subscription_id
        WHERE coalesce(orders.user_id, subscriptions.user_id) = users.id
          AND payment_returns.kind = 'dispute' AND payment_returns.state IN ('open', 'lost')
          AND coalesce(disputed_at, heard_at) > settings.agreed_at) AS "isDisputed",
      ${IS_AGREED} AS "isAgreed",
      ${spendableCredits(Prisma.sql`top_up.account_id`)} < settings.threshold AS "isBelow",
      ${IS_OF_THIS_MONTH} AS "isOfThisMonth",
      top_up.amount + (
        SELECT coalesce(sum(amount), 0) FROM top_ups counted
        WHERE counted.account_id = top_up.account_id AND counted.id <> top_up.id
          AND ${countsIn(Prisma.sql`top_up.currency`)}
      ) <= settings.monthly_amount AS "isAffordable",
      EXISTS (
        SELECT FROM idempotency_keys key
        WHERE key.user_id = users.id AND scope IN ('checkout', 'subscription-checkout')
          AND answer ->> 'status' = 'started' AND (answer_until > now()) IS NOT FALSE
          AND key.created_at > now() - make_interval(mins => ${CHECKOUT_MINUTES})
          AND NOT EXISTS (
            SELECT FROM orders WHERE provider = answer ->> 'provider'
              AND provider_checkout_id = answer ->> 'sessionId' AND status <> 'pending')
          AND NOT (scope = 'subscription-checkout' AND EXISTS (
            SELECT FROM subscriptions WHERE user_id = users.id AND created_at > key.created_at))
      ) AS "isBuying"
    FROM top_ups top_up
      JOIN users ON users.id = top_up.account_id
      JOIN account_settings settings ON settings.account_id = top_up.account_id
    WHERE top_up.id = ${id}::uuid`;
  return read;
}
