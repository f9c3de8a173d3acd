import type { KeptCards } from "~/services/payments/kept-cards";
import { refusalOf } from "~/services/payments/payment-faults";
import type { SavedCard } from "~/services/payments/payment-outlook";
import { AppError } from "~/utils/app-error";
import { log } from "~/utils/logger.server";

/** A page waits this long for the provider. */
const TIMEOUT_MS = 2_000;

export type ShownCard =
  | ({ status: "known" } & SavedCard)
  /** The provider doesn't have it any more. */
  | { status: "gone" }
  /** The provider wasn't asked, or didn't tell in time. */
  | { status: "unknown" }
  | { status: "limited" };

/** Asks the provider for a kept card. Nothing of it is stored. */
export async function findShownCard(
  card: { customerId: string; paymentMethodId: string },
  cards: KeptCards,
): Promise<ShownCard> {
  try {
    const found = await cards.findCard({ ...card, timeoutMs: TIMEOUT_MS });
    return found ? { status: "known", ...found } : { status: "gone" };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log().warn({ reason: refusalOf(error).reason }, "the provider told nothing of a kept card");
    return { status: "unknown" };
  }
}
