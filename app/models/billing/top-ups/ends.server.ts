import type { Transaction } from "~/db.server";
import { addJobs } from "~/models/jobs/add-job.server";

/**
 * Reasons for which nothing was bought, although nothing but the moment spoke against it: the crossing is looked at again, and another
 * attempt begins if the balance is below the mark. Any other end uses the crossing up: the next one needs a new lot, or the
 * owner's word.
 */
const LOOKS_AGAIN: readonly string[] = ["enough_credits", "never_charged"];

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
  // A new id, because an attempt belongs to one crossing for good.
  if (to.status === "canceled" && LOOKS_AGAIN.includes(to.reason))
    await transaction.$executeRaw`
      UPDATE crossings SET id = gen_random_uuid(), told_at = NULL, created_at = now()
      WHERE id = ${crossingId}::uuid`;
  const waiting = await transaction.$queryRaw<{ crossingId: string }[]>`
    SELECT id AS "crossingId" FROM crossings
    WHERE account_id = ${accountId}::uuid AND watcher = 'top_up' AND told_at IS NULL`;
  await addJobs(
    "crossings",
    waiting.map((data) => ({ data })),
    transaction,
  );
}
