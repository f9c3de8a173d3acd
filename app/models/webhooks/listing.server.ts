import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { PAYMENT_PROVIDER_NAMES, type PaymentProviderName } from "~/env/payments";
import { Prisma, type WebhookStatus } from "~/generated/prisma/client";

export type { WebhookStatus };

/** A stored delivery without its payload. */
export interface StoredDelivery {
  id: string;
  provider: PaymentProviderName;
  dedupeKey: string;
  eventType: string;
  status: WebhookStatus;
  attempts: number;
  leaseToken: string | null;
  leaseUntil: Date | null;
  /** Whether an attempt holds its lease now, by the database's clock. */
  leased: boolean;
  nextAttemptAt: Date | null;
  lastError: string | null;
  receivedAt: Date;
  processedAt: Date | null;
  /** Bytes; null once the payload was dropped. */
  payloadSize: number | null;
}

const COLUMNS = Prisma.sql`
  id, provider, dedupe_key AS "dedupeKey", event_type AS "eventType", status::text AS status,
  attempts, lease_token AS "leaseToken", lease_until AS "leaseUntil",
  (lease_until > now()) IS TRUE AS leased, next_attempt_at AS "nextAttemptAt",
  last_error AS "lastError", received_at AS "receivedAt", processed_at AS "processedAt",
  length(payload) AS "payloadSize"`;

/** The newest deliveries with one status, or with any. */
export async function listDeliveries(
  { status, limit }: { status: WebhookStatus | null; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<StoredDelivery[]> {
  const filter = status ? Prisma.sql`WHERE status = ${status}::webhook_status` : Prisma.empty;
  return db.$queryRaw<StoredDelivery[]>`
    SELECT ${COLUMNS} FROM webhook_inbox ${filter}
    ORDER BY received_at DESC, id DESC LIMIT ${limit}`;
}

/** Ids of all dead deliveries in order of arrival: a newer one may depend on an older one. */
export async function listDeadIds(db: DatabaseOrTransaction = getDb()): Promise<string[]> {
  const rows = await db.webhookDelivery.findMany({
    where: { status: "dead" },
    select: { id: true },
    orderBy: [{ receivedAt: "asc" }, { id: "asc" }],
  });
  return rows.map(({ id }) => id);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Deliveries matching a reference: a row's uuid, a provider's event id, or a stored dedupe key (`id:…`,
 * `sha256:…`). Two only if both providers use the same event id.
 */
export async function findDeliveries(
  reference: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<StoredDelivery[]> {
  const isKey = /^(id|sha256):/.test(reference);
  const where = UUID.test(reference)
    ? Prisma.sql`id = ${reference}::uuid`
    : Prisma.sql`provider = ANY (${[...PAYMENT_PROVIDER_NAMES]}::text[]) AND dedupe_key = ${isKey ? reference : `id:${reference}`}`;
  return db.$queryRaw<StoredDelivery[]>`
    SELECT ${COLUMNS} FROM webhook_inbox WHERE ${where} ORDER BY provider`;
}

/** The original bytes, or null once they were dropped. */
export async function getPayload(
  id: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<Uint8Array | null> {
  const row = await db.webhookDelivery.findUnique({ where: { id }, select: { payload: true } });
  return row?.payload ?? null;
}
