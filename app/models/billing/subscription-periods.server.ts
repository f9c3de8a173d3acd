import type { Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";

/**
 * Boundary `k` of an anchor: `k` months later in UTC, or the month's last day if the month is too
 * short. Always computed from the anchor, so that the 31st comes back after February.
 */
export function boundarySql(anchor: Prisma.Sql, k: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`((${anchor} AT TIME ZONE 'UTC' + make_interval(months => ${k})) AT TIME ZONE 'UTC')`;
}

/**
 * Sets the anchor of the monthly grants as soon as the subscription is running and its period is known.
 * The first period shown counts as paid. Returns true while the subscription is running.
 */
export async function startGrants(id: string, transaction: Transaction): Promise<boolean> {
  const [row] = await transaction.$queryRaw<{ running: boolean }[]>`
    UPDATE subscriptions SET
      grant_anchor_at = coalesce(grant_anchor_at, first.anchor),
      next_grant_at = coalesce(next_grant_at, first.anchor),
      paid_from = greatest(paid_from, first.anchor),
      paid_until = greatest(paid_until, first.until)
    FROM (
      SELECT id, CASE WHEN starts THEN current_period_start END AS anchor,
        CASE WHEN starts THEN current_period_end END AS until
      FROM (
        -- An event may leave the period's end to a later one.
        SELECT *, status IN ('active', 'trialing') AND current_period_start IS NOT NULL
          AND (grant_anchor_at IS NULL OR paid_until IS NULL) AS starts
        FROM subscriptions WHERE id = ${id}::uuid
      ) AS candidate
    ) AS first
    WHERE subscriptions.id = first.id
    RETURNING status IN ('active', 'trialing') AS running`;
  return row?.running ?? false;
}

/**
 * Records that a period is paid. A period older than the recorded one changes nothing. One whose start
 * is unknown can only extend the paid time. A period that begins off the anchor's grid (a trial's end,
 * another interval) moves the anchor, but never to before the end of the last grant: no month is
 * granted twice, and none is left out.
 */
export async function notePaidPeriod(
  { id, start, end }: { id: string; start: Date | null; end: Date },
  transaction: Transaction,
): Promise<void> {
  const months = Prisma.sql`(
    (extract(year FROM period.start AT TIME ZONE 'UTC')::int
      - extract(year FROM grant_anchor_at AT TIME ZONE 'UTC')::int) * 12
    + extract(month FROM period.start AT TIME ZONE 'UTC')::int
      - extract(month FROM grant_anchor_at AT TIME ZONE 'UTC')::int)`;
  await transaction.$executeRaw`
    WITH period AS (SELECT ${start}::timestamptz AS start, ${end}::timestamptz AS end_),
    paid AS (
      SELECT subscription.id, period.*,
        (period.start > coalesce(paid_from, '-infinity')) IS TRUE AS newer,
        period.start > grant_anchor_at
          AND ${boundarySql(Prisma.sql`grant_anchor_at`, months)} <> period.start AS off_grid
      FROM subscriptions subscription, period WHERE subscription.id = ${id}::uuid
    )
    UPDATE subscriptions subscription SET
      paid_from = coalesce(paid.start, paid_from),
      paid_until = CASE WHEN newer THEN end_ ELSE greatest(paid_until, end_) END,
      grant_anchor_at = CASE WHEN newer AND off_grid
        THEN greatest(paid.start, granted_until) ELSE grant_anchor_at END,
      next_grant_at = CASE WHEN newer AND off_grid
        THEN greatest(paid.start, granted_until) ELSE next_grant_at END,
      grants_issued = CASE WHEN newer AND off_grid THEN 0 ELSE grants_issued END
    FROM paid
    WHERE subscription.id = paid.id
      AND (paid.start < coalesce(paid_from, '-infinity')) IS NOT TRUE`;
}
