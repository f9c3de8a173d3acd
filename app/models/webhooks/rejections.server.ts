import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { Prisma } from "~/generated/prisma/client";
import type { SignatureFault } from "~/services/payments/signature-fault";

/** Deliveries with the same fault in the same hour. */
export interface Rejections {
  /** The hour's beginning. */
  hour: Date;
  provider: PaymentProviderName;
  reason: SignatureFault;
  count: number;
  lastAt: Date;
}

/**
 * Counts deliveries that were refused for their signature. Returns how many had this fault in this hour,
 * these included, over all processes. There is one row per hour, provider and fault, however many come.
 */
export async function countRejections(
  { provider, reason, count }: Pick<Rejections, "provider" | "reason" | "count">,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    INSERT INTO webhook_rejections AS known (hour, provider, reason, count, last_at)
    VALUES (date_trunc('hour', now()), ${provider}, ${reason}, ${count}, now())
    ON CONFLICT (hour, provider, reason) DO UPDATE SET
      count = least(known.count::bigint + excluded.count, 2147483647), last_at = excluded.last_at
    RETURNING count`;
  return row?.count ?? count;
}

/** The newest hours first. */
export async function listRejections(
  { limit }: { limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<Rejections[]> {
  const rows = await db.webhookRejection.findMany({
    orderBy: [{ hour: "desc" }, { provider: "asc" }, { reason: "asc" }],
    take: limit,
  });
  return rows as Rejections[];
}

export interface RejectionHealth {
  /** Deliveries refused for their signature in the last 24 hours. */
  lastDay: number;
  lastRejectedAt: Date | null;
  /** When a delivery with a valid signature last came for the first time. */
  lastAcceptedAt: Date | null;
  /** The provider's own deliveries were probably among them. */
  suspicious: boolean;
}

/** SQL: one row with the numbers of `RejectionHealth`. */
export const REJECTION_HEALTH = Prisma.sql`
    WITH accepted AS (SELECT max(received_at) AS at FROM webhook_inbox),
    recent AS (
      SELECT reason, count, last_at FROM webhook_rejections
      WHERE hour > now() - interval '25 hours' AND last_at > now() - interval '24 hours'
    )
    SELECT coalesce(sum(count), 0)::int AS "lastDay", max(last_at) AS "lastRejectedAt",
      accepted.at AS "lastAcceptedAt",
      coalesce(bool_or(
        reason IN ('expired', 'mismatch')
          OR (accepted.at > now() - interval '24 hours') IS NOT TRUE
      ), false) AS suspicious
    FROM accepted LEFT JOIN recent ON true GROUP BY accepted.at`;

/**
 * The signatures of the last 24 hours. Anybody can post rubbish, so a missing or malformed signature is
 * suspicious only while no delivery is accepted: then something may cut the header off.
 */
export async function getRejectionHealth(
  db: DatabaseOrTransaction = getDb(),
): Promise<RejectionHealth> {
  const [health] = await queryPrepared<RejectionHealth>("rejection_health", REJECTION_HEALTH, db);
  if (!health) throw new Error("an aggregate gave no row");
  return { ...health, suspicious: health.lastDay > 0 && health.suspicious };
}
