import type { PaymentProviderName } from "~/env/payments";
import { countRejections } from "~/models/webhooks/rejections.server";
import type { SignatureFault } from "~/services/payments/signature-fault";
import { log } from "~/utils/logger.server";
import { count } from "~/utils/metrics.server";
import { securityEvent } from "~/utils/security-event.server";

/** Between two writes of this process. Anybody can post rubbish, as often as they like. */
const INTERVAL_MS = 5_000;

interface Refusals {
  provider: PaymentProviderName;
  reason: SignatureFault;
  count: number;
}

const waiting = new Map<string, Refusals>();
let timer: NodeJS.Timeout | undefined;

/**
 * Counts one delivery that was refused for its signature. The first is written and logged before this
 * resolves. More within the next seconds are written together.
 */
export async function noteRefusedWebhook(refusal: Omit<Refusals, "count">): Promise<void> {
  count("rcs_webhooks_total", { provider: refusal.provider, outcome: "refused" });
  const key = `${refusal.provider}:${refusal.reason}`;
  const known = waiting.get(key);
  waiting.set(key, { ...refusal, count: (known?.count ?? 0) + 1 });
  if (timer) return;
  timer = setTimeout(async () => {
    timer = undefined;
    await writeRefusedWebhooks();
  }, INTERVAL_MS).unref();
  await writeRefusedWebhooks();
}

/** Writes what was counted since the last time. For the end of the process, too. */
export async function writeRefusedWebhooks(): Promise<void> {
  const all = [...waiting.values()];
  waiting.clear();
  for (const refusals of all) {
    try {
      logAtPowersOfTen(refusals, await countRejections(refusals));
    } catch (error) {
      log().error({ err: error }, "refused webhooks could not be counted");
    }
  }
}

/** Logs the 1st, 10th, 100th, … of an hour, so that a flood takes a handful of lines. */
function logAtPowersOfTen({ provider, reason, count }: Refusals, inThisHour: number): void {
  const digits = (value: number) => (value <= 0 ? 0 : `${value}`.length);
  if (digits(inThisHour) === digits(inThisHour - count)) return;
  securityEvent("signature_refused", {
    outcome: "failure",
    reason,
    // A scanner has no signature in the provider's form. The provider has, and then money is missing.
    isError: reason === "mismatch" || reason === "expired",
    details: { provider, inThisHour },
  });
}
