import type { Transaction } from "~/db.server";
import { addJobs } from "~/models/jobs/add-job.server";

/**
 * Reasons for which nothing was bought, although nothing but the moment spoke against it, or the owner has agreed to other terms
 * meanwhile: the crossing is looked at again, and another attempt begins if the balance is below the mark. Any other end uses the
 * crossing up: the next one needs a new lot, or the owner's word.
 */
const LOOKS_AGAIN: readonly string[] = ["enough_credits", "never_charged", "terms_changed"];

interface Ended {
  id: string;
  accountId: string;
  crossingId: string;
}

/**
 * Ends an attempt of which nothing was charged. A crossing that came while it was open, and could have none of its own, is looked at
 * now. The attempt is locked, and so are the account's settings if the caller changes them: crossings come last.
 */
export async function endTopUp(
  { id, accountId, crossingId }: Ended,
  to: { status: "declined" | "canceled"; reason: string; paymentId?: string },
  transaction: Transaction,
): Promise<void> {
  await transaction.$executeRaw`
    UPDATE top_ups SET status = ${to.status}::top_up_status, reason = ${to.reason}, settled_at = now(),
      provider_payment_id = coalesce(${to.paymentId ?? null}, provider_payment_id)
    WHERE id = ${id}::uuid`;
  if (to.status === "canceled" && LOOKS_AGAIN.includes(to.reason))
    await lookAgain({ accountId, crossingId }, transaction);
  const waiting = await transaction.$queryRaw<{ crossingId: string }[]>`
    SELECT id AS "crossingId" FROM crossings
    WHERE account_id = ${accountId}::uuid AND watcher = 'top_up' AND told_at IS NULL`;
  await addJobs(
    "crossings",
    waiting.map((data) => ({ data })),
    transaction,
  );
}

/**
 * The crossing gets a new id, because an attempt belongs to one crossing for good. One that a new lot or the owner's word has removed
 * comes back, if no spend has made another: nobody looked at the balance since.
 */
async function lookAgain(
  { accountId, crossingId }: Pick<Ended, "accountId" | "crossingId">,
  transaction: Transaction,
): Promise<void> {
  await transaction.crossing.deleteMany({ where: { id: crossingId } });
  await transaction.$executeRaw`
    INSERT INTO crossings (account_id, watcher) VALUES (${accountId}::uuid, 'top_up')
    ON CONFLICT DO NOTHING`;
}
