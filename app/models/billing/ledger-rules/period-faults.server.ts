import type { DatabaseOrTransaction } from "~/db.server";
import type { LedgerFault } from "~/models/credits/rule-set";

/**
 * Compares the paid periods with the ledger:
 *
 * - each monthly lot names a period of its user, and has the source of that subscription;
 * - a period has at most as many lots as months, and one more for each period that begins inside it, after
 *   which it may go on;
 * - a lot that runs ends when a month of its subscription does;
 * - the lots of a running month, less what returns took of them, are what its periods say they gave;
 * - a subscription whose periods gave credits has lots.
 *
 * The catalog may have changed since an earlier month, so that month's credits aren't compared with it.
 * Left out, because the rows don't say enough: lots that name their subscription, from before periods;
 * running months of periods that don't say what they gave; and those of subscriptions with a dispute
 * won before version 1.0, which could be given back twice.
 */
export function listPeriodFaults(
  userIds: string[],
  db: DatabaseOrTransaction,
): Promise<LedgerFault[]> {
  return db.$queryRaw`
    WITH paid AS MATERIALIZED (
      SELECT paid.id, subscription_id, user_id, granted_credits, credits_reversed, date_trunc(
          'milliseconds', starts_at) + granted_for * interval '1 millisecond' AS granted_until,
        subscriptions.provider || ':' || provider_subscription_id || ':' AS named,
        months + CASE WHEN start + make_interval(months => months) < finish THEN 1 ELSE 0 END + (
          SELECT count(*) FROM subscription_periods other
          WHERE other.subscription_id = paid.subscription_id AND other.id <> paid.id
            AND other.starts_at >= paid.starts_at AND other.starts_at < paid.ends_at
        ) AS most_lots
      FROM subscriptions JOIN subscription_periods paid ON subscription_id = subscriptions.id
        CROSS JOIN LATERAL (
          SELECT starts_at AT TIME ZONE 'UTC' AS start, ends_at AT TIME ZONE 'UTC' AS finish
        ) utc
        CROSS JOIN LATERAL (
          SELECT extract(year FROM age(finish, start))::int * 12
            + extract(month FROM age(finish, start))::int AS months
        ) length
      WHERE user_id = ANY (${userIds}::uuid[])
    ),
    entry AS MATERIALIZED (
      SELECT id, user_id, type, source, amount, remaining, expires_at, revived_at, reference
      FROM credit_transactions
      WHERE user_id = ANY (${userIds}::uuid[])
        AND (type IN ('grant', 'reversal') OR (type = 'adjustment' AND reference IS NOT NULL))
    ),
    moved AS MATERIALIZED (
      SELECT entry.*, date_trunc('milliseconds', expires_at) AS until, paid.id AS period_id,
        subscription_id, named
      FROM entry JOIN paid ON reference = paid.id::text AND paid.user_id = entry.user_id
    ),
    running AS (
      SELECT user_id, subscription_id, granted_until, array_agg(id ORDER BY id) AS period_ids,
        sum(granted_credits - credits_reversed) AS said
      FROM paid
      WHERE granted_until > statement_timestamp() AND NOT EXISTS (
        SELECT 1 FROM moved WHERE moved.subscription_id = paid.subscription_id
          AND source LIKE 'adjustment:won:%'
      )
      GROUP BY user_id, subscription_id, granted_until
      HAVING bool_and(granted_credits IS NOT NULL)
    ),
    month AS (
      SELECT subscription_id, until, min(id) FILTER (WHERE type = 'grant') AS first_id,
        sum(amount) AS given
      FROM moved WHERE remaining IS NOT NULL AND revived_at IS NULL
      GROUP BY subscription_id, until
    ),
    -- Materialized: without statistics the planner would search all of it for each pair of lots that end at one time.
    reversal AS MATERIALIZED (
      SELECT moved.subscription_id, granted_until AS until, moved.id, amount
      FROM moved JOIN paid ON paid.id = period_id
      -- What was taken from a revived lot and given back ends when that did.
      WHERE type = 'reversal' OR (type = 'adjustment' AND revived_at IS NOT NULL)
    ),
    taken AS (
      SELECT subscription_id, until, sum(amount) AS amount
      FROM reversal JOIN month USING (subscription_id, until)
      WHERE id > first_id GROUP BY subscription_id, until
    ),
    held AS (
      SELECT running.*, coalesce(given, 0) + coalesce(taken.amount, 0) AS held
      FROM running
        LEFT JOIN month ON month.subscription_id = running.subscription_id
          AND month.until = granted_until
        LEFT JOIN taken ON taken.subscription_id = running.subscription_id
          AND taken.until = granted_until
    ),
    fault AS (
      SELECT 'period-lot' AS rule, user_id, id, format(
        'source %s, and reference %s is no period of the user''s',
        source, coalesce(reference, 'missing')
      ) AS detail
      FROM entry
      WHERE type = 'grant' AND (source LIKE 'subscription:%' OR source LIKE 'upgrade:%')
        AND NOT EXISTS (SELECT 1 FROM moved WHERE moved.id = entry.id)
        AND NOT EXISTS (
          SELECT 1 FROM subscriptions
          WHERE subscriptions.user_id = entry.user_id AND subscriptions.id::text = reference
        )

      UNION ALL
      SELECT 'period-lot', user_id, id,
        format('names period %s, and its source is %s', period_id, source)
      FROM moved
      WHERE type = 'grant' AND NOT starts_with(source, 'subscription:' || named)
        AND NOT starts_with(source, 'upgrade:' || named)

      UNION ALL
      SELECT 'period-months', moved.user_id, max(moved.id),
        format('period %s has %s lots, and room for %s', period_id, count(*), most_lots)
      FROM moved JOIN paid ON paid.id = period_id
      WHERE type = 'grant' AND starts_with(source, 'subscription:' || moved.named)
        AND period_id <> moved.subscription_id
      GROUP BY moved.user_id, period_id, most_lots HAVING count(*) > most_lots

      UNION ALL
      SELECT 'period-end', user_id, id,
        format('of period %s, ends at %s, when no month ends', period_id, expires_at)
      FROM moved
      WHERE remaining > 0 AND revived_at IS NULL AND source NOT LIKE 'adjustment:won:%'
        AND (expires_at > statement_timestamp()) IS NOT FALSE AND NOT EXISTS (
          SELECT 1 FROM paid
          WHERE paid.subscription_id = moved.subscription_id AND granted_until = until
        )

      UNION ALL
      SELECT 'period-credits', user_id, NULL, format(
        'period %s: its month until %s gave %s credits after returns, its rows say %s',
        array_to_string(period_ids, ' with '), granted_until, said, held
      )
      FROM held WHERE said <> held

      UNION ALL
      SELECT 'period-lot', user_id, NULL,
        format('period %s gave credits, and there is no lot of its subscription', min(id::text))
      FROM paid
      GROUP BY user_id, subscription_id
      HAVING max(granted_credits) > 0 AND NOT EXISTS (
        SELECT 1 FROM moved
        WHERE moved.subscription_id = paid.subscription_id AND moved.type = 'grant'
      )
    )
    SELECT rule, user_id AS "userId", id::text AS "transactionId", detail
    FROM fault ORDER BY user_id, id NULLS FIRST, detail`;
}
