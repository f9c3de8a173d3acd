import type { Transaction } from "~/db.server";
import type { TopUpOff } from "~/generated/prisma/enums";
import { IS_ON } from "~/models/billing/top-ups/is-on.server";
import { forgetCard } from "~/models/billing/top-ups/terms.server";
import { queueEmail } from "~/models/emails/outbox.server";

/** Reasons for which a page that was opened before must not turn it on again. */
const ENDS_PAGES: readonly TopUpOff[] = ["owner", "dispute", "disabled"];

/**
 * Turns top-up off. For every reason but the owner's own, the owner gets an email. One that is off stays as it is. A card that the
 * owner or the provider took away is forgotten here. Where `card` is given, nothing happens unless it is still the kept one: an owner
 * who has another card by now hears nothing of the old one. A page on which the owner is about to add another card goes on,
 * unless the reason forbids it.
 */
export async function turnOffTopUp(
  { accountId, reason, card }: { accountId: string; reason: TopUpOff; card?: string },
  transaction: Transaction,
): Promise<void> {
  const [was] = await transaction.$queryRaw<{ isOn: boolean; paymentMethodId: string | null }[]>`
    SELECT ${IS_ON} AS "isOn", payment_method_id AS "paymentMethodId"
    FROM account_settings settings
    WHERE account_id = ${accountId}::uuid AND (threshold IS NOT NULL OR card_request IS NOT NULL)
    FOR UPDATE`;
  if (!was || (card !== undefined && card !== was.paymentMethodId)) return;
  const isCardGone = reason === "owner" || reason === "card_removed";
  const [off] = await transaction.$queryRaw<{ at: Date | null }[]>`
    UPDATE account_settings SET
      card_request = CASE WHEN ${ENDS_PAGES.includes(reason)} THEN NULL ELSE card_request END,
      card_terms = CASE WHEN ${ENDS_PAGES.includes(reason)} THEN NULL ELSE card_terms END,
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
