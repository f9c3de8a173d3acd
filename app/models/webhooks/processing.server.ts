import { type Database, getDb, type Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { applyBillingEvents } from "~/models/billing/effects.server";
import { namesIn } from "~/models/webhooks/delivery-names";
import {
  type Claim,
  type ClaimedDelivery,
  claimDelivery,
  claimOverdue,
  type Ended,
  endClaimed,
  releaseFailed,
} from "~/models/webhooks/inbox.server";
import type { BillingEvent, Delivery } from "~/services/payments/billing-event";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";
import { errorMessage } from "~/utils/error-message";
import { log } from "~/utils/logger.server";
import { count } from "~/utils/metrics.server";

export type ProcessResult =
  | { status: "processed" }
  /** It was processed before, or another attempt is processing it. */
  | { status: "deduped" }
  /** Nothing was applied. The delivery is kept and free for the next attempt. */
  | { status: "failed" };

/** Writes that a delivery with these names was processed again. */
type RecordReplay = (names: string[], transaction: Transaction) => Promise<void>;

/** Processes a verified delivery: stores it first, then applies its effects and ends it in one transaction. */
export async function processDelivery(
  {
    provider,
    delivery,
    payload,
  }: {
    provider: PaymentProviderName;
    delivery: Delivery;
    payload: Uint8Array;
  },
  db: Database = getDb(),
): Promise<ProcessResult> {
  const { providerEventId, type } = delivery;
  const claim = await claimDelivery({ provider, providerEventId, eventType: type, payload }, db);
  if (!claim) return counted(provider, { status: "deduped" });
  return processClaimed({ claim, provider, payload, read: () => delivery.events }, db);
}

/**
 * Retries a stored delivery. It was verified on arrival and is only parsed now. `record` writes that it was, in the
 * transaction of its effects.
 */
export function processStored(
  claim: ClaimedDelivery,
  db: Database = getDb(),
  record?: RecordReplay,
): Promise<ProcessResult> {
  const { provider, payload } = claim;
  const read = () => {
    const delivery = getPaymentProvider(provider).parseDelivery(payload);
    if (!delivery) throw new Error("the stored payload is no longer a JSON object");
    return delivery.events;
  };
  return processClaimed({ claim, provider, payload, read, ...(record ? { record } : {}) }, db);
}

/** Milliseconds; well below the lease, so that an attempt ends before another can begin. */
const EFFECTS_TIMEOUT = 30_000;

async function processClaimed(
  {
    claim,
    provider,
    payload,
    read,
    record,
  }: {
    claim: Claim;
    provider: PaymentProviderName;
    payload: Uint8Array;
    read: () => BillingEvent[];
    record?: RecordReplay;
  },
  db: Database,
): Promise<ProcessResult> {
  const names = namesIn(payload);
  try {
    const events = read();
    const result = await db.$transaction(
      async (transaction): Promise<ProcessResult> => {
        if (!(await endClaimed({ ...claim, names }, transaction))) return { status: "deduped" };
        await applyBillingEvents({ provider, events }, transaction);
        await record?.(names, transaction);
        return { status: "processed" };
      },
      { timeout: EFFECTS_TIMEOUT },
    );
    return counted(provider, result);
  } catch (error) {
    log().error({ err: error, provider, deliveryId: claim.id }, "webhook delivery failed");
    await release({ ...claim, names }, error, db);
    return counted(provider, { status: "failed" });
  }
}

function counted(provider: PaymentProviderName, result: ProcessResult): ProcessResult {
  count("rcs_webhooks_total", { provider, outcome: result.status });
  return result;
}

/** If this fails too, the lease runs out and the delivery becomes free anyway. */
async function release(claim: Ended, error: unknown, db: Database): Promise<void> {
  try {
    await releaseFailed({ ...claim, error: errorMessage(error).slice(0, 2000) }, db);
  } catch (releaseError) {
    log().error({ err: releaseError, deliveryId: claim.id }, "webhook lease could not be released");
  }
}

/**
 * Retries up to `limit` unprocessed deliveries whose lease is over: their attempt failed or its process
 * died. A copy that arrived in the meantime got a 200, so the provider may never resend them. Returns
 * the number processed.
 */
export async function redriveDeliveries(
  { limit }: { limit: number },
  db: Database = getDb(),
): Promise<number> {
  let processed = 0;
  for (let tried = 0; tried < limit; tried += 1) {
    const claim = await claimOverdue(db);
    if (!claim) break;
    const { status } = await processStored(claim, db);
    if (status === "processed") processed += 1;
  }
  return processed;
}
