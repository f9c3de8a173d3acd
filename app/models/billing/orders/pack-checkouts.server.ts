import { findPack, type Pack } from "~/catalog";
import { queryPrepared, type Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { Prisma } from "~/generated/prisma/client";
import { queueOrderReceipt } from "~/models/billing/billing-emails.server";
import { lostUser } from "~/models/billing/customers/installation.server";
import { orderSource } from "~/models/billing/orders/orders.server";
import { describePackMismatch } from "~/models/billing/orders/pack-match.server";
import { applyReturnsOf } from "~/models/billing/returns/kept-returns.server";
import { ensureAccount } from "~/models/credits/accounts.server";
import { lotSteps } from "~/models/credits/lots.server";
import { getTransactionBySource } from "~/models/credits/transactions.server";
import { IS_TOMBSTONE } from "~/models/tombstones.server";
import { type CheckoutCompleted, isSettled } from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";

interface RecordedOrder {
  id: string;
  userId: string;
  paidAt: Date | null;
  /** Whether the buyer's account was deleted. */
  isOrphan: boolean;
  /** False if no credits could be granted, because the user has no credit account yet. */
  hasAccount: boolean;
  /** Whether money of this payment may have gone back before the order came. */
  mayBeReturned: boolean;
}

interface PackCheckout {
  provider: PaymentProviderName;
  event: CheckoutCompleted;
  /** A sale that this installation asked for itself, for this very amount: the catalog may have changed since. */
  agreed?: { skuKey: string; credits: number | null } | null;
}

type SoldPack = Pick<Pack, "credits"> & { skuKey: string };

/**
 * Records a completed checkout of a pack and, once it is paid, grants its credits: one order per
 * checkout, one grant per order. A checkout that a promotion code made free is a paid order of 0. A
 * checkout without our metadata is not ours and is ignored. One with our metadata throws if the catalog
 * lacks the pack, or sells it as another product or at a higher price. A deleted account gets an order
 * and no credits. Returns of its payment that came first are applied.
 */
export async function recordPackCheckout(
  { provider, event, agreed = null }: PackCheckout,
  transaction: Transaction,
): Promise<void> {
  const { metadata, checkoutId } = event;
  if (!metadata) return;
  const pack = agreed ? soldAs(agreed) : findSoldPack(provider, event, metadata.skuKey ?? "");
  const paid = isSettled(event);
  if (!paid) log().warn({ provider, checkoutId }, "a completed checkout is not paid");
  const sale = { provider, event, pack, userId: metadata.userId, paid };
  let order = await recordSale(sale, transaction);
  if (!paid) return;
  if (order.isOrphan) {
    await reportOrphan({ provider, event, orderId: order.id }, transaction);
  } else {
    if (!order.hasAccount) {
      await ensureAccount(order.userId, transaction);
      order = await recordSale(sale, transaction);
    }
    await queueOrderReceipt(order, transaction);
  }
  if (order.mayBeReturned && event.paymentId)
    await applyReturnsOf({ provider, paymentIds: [event.paymentId] }, transaction);
}

/** Returns the terms that were agreed to, even if the catalog has the pack no more. */
function soldAs({ skuKey, credits }: { skuKey: string; credits: number | null }): SoldPack {
  const known = credits ?? findPack(skuKey)?.credits;
  if (known === undefined) throw new Error(`the catalog has no pack ${skuKey}`);
  return { skuKey, credits: known };
}

/** The catalog's pack that a checkout sold. */
function findSoldPack(
  provider: PaymentProviderName,
  event: CheckoutCompleted,
  skuKey: string,
): SoldPack {
  const { checkoutId } = event;
  const pack = findPack(skuKey);
  if (!pack) throw new Error(`checkout ${checkoutId}: the catalog has no pack ${skuKey}`);
  const mismatch = describePackMismatch(provider, event, pack);
  if (mismatch) throw new Error(`checkout ${checkoutId} is malformed: ${mismatch}`);
  return pack;
}

/** Tells the operator of a payment that nobody can use, unless its credits were granted before the deletion. */
async function reportOrphan(
  { provider, event, orderId }: PackCheckout & { orderId: string },
  transaction: Transaction,
): Promise<void> {
  const { paymentId, checkoutId } = event;
  if (await getTransactionBySource(orderSource(provider, checkoutId), transaction)) return;
  log().error(
    { provider, paymentId, checkoutId, orderId },
    "a deleted account's checkout was paid and granted nothing: refund it at the provider",
  );
}

/**
 * Writes the order and, if it is paid and its user has an account, the lot of its credits, in one
 * statement. Credits keep the amount first recorded: the catalog may have changed since.
 *
 * The user's row comes first. A deletion of the account holds it, so that this waits and then reads
 * what the deletion left.
 */
async function recordSale(
  {
    provider,
    event,
    pack,
    userId,
    paid,
  }: PackCheckout & { pack: SoldPack; userId: string; paid: boolean },
  transaction: Transaction,
): Promise<RecordedOrder> {
  const { checkoutId, paymentId, amount, currency } = event;
  const source = orderSource(provider, checkoutId);
  const lot = Prisma.sql`
    SELECT ordered.user_id, 'grant'::credit_transaction_type AS type, credits AS amount,
      ${source}::text AS source, NULL::timestamptz AS expires_at, ordered.id::text AS reference,
      NULL::timestamptz AS revived_at, NULL::text AS description
    FROM ordered, owner WHERE ${paid}::boolean AND NOT is_orphan`;
  const statement = Prisma.sql`
    WITH owner AS (
      SELECT id, ${IS_TOMBSTONE} AS is_orphan FROM users WHERE id = ${userId}::uuid FOR KEY SHARE
    ),
    ordered AS (
      INSERT INTO orders AS earlier (user_id, provider, provider_checkout_id, provider_payment_id,
        sku_key, credits, amount, currency, status, paid_at)
      SELECT id, ${provider}, ${checkoutId}, ${paymentId}::text, ${pack.skuKey},
        ${pack.credits}::int, ${amount}::bigint, ${currency},
        (CASE WHEN ${paid}::boolean THEN 'paid' ELSE 'pending' END)::order_status,
        CASE WHEN ${paid}::boolean THEN now() END
      FROM owner
      ON CONFLICT (provider, provider_checkout_id) DO UPDATE SET
        provider_payment_id = coalesce(earlier.provider_payment_id, excluded.provider_payment_id),
        status = CASE WHEN earlier.status = 'pending' THEN excluded.status ELSE earlier.status END,
        paid_at = coalesce(earlier.paid_at, excluded.paid_at)
      RETURNING id, user_id, credits, paid_at
    ),
    ${lotSteps(lot)}
    SELECT ordered.id, ordered.user_id AS "userId", paid_at AS "paidAt", is_orphan AS "isOrphan",
      EXISTS (SELECT 1 FROM account) AS "hasAccount",
      EXISTS (
        SELECT 1 FROM payment_returns
        WHERE provider = ${provider}
          AND (provider_payment_id = ${paymentId}::text OR provider_order_id = ${paymentId}::text)
      ) AS "mayBeReturned"
    FROM ordered, owner`;
  const name = "record_pack_checkout";
  const [order] = await queryPrepared<RecordedOrder>(name, statement, transaction);
  if (!order) throw lostUser(userId);
  return order;
}
