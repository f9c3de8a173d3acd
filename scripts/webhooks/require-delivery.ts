import type { Database } from "~/db.server";
import { findDeliveries, type StoredDelivery } from "~/models/webhooks/listing.server";

/**
 * Returns the delivery with this uuid, event id or dedupe key. Throws if there is none, or more than
 * one.
 */
export async function requireDelivery(reference: string, db: Database): Promise<StoredDelivery> {
  const [delivery, other] = await findDeliveries(reference, db);
  if (!delivery) throw new Error(`there is no delivery '${reference}'`);
  if (other) {
    const ids = `${delivery.id} (${delivery.provider}) or ${other.id} (${other.provider})`;
    throw new Error(`'${reference}' matches two deliveries: choose ${ids}`);
  }
  return delivery;
}
