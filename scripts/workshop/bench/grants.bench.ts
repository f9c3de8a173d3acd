import { PLANS } from "~/catalog";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { withClient } from "../../lib/with-client";
import { withDatabase } from "../../lib/with-database";
import { type Bench, inTurns, timed } from "./bench";
import type { BenchServer } from "./bench-server";
import { seedSubscriptions } from "./seed-subscriptions";

const DUE = 100_000;
const ROUNDS = 3;

/** Compares a grant run over many due subscriptions with the same writes in one statement. */
export const grantsBench: Bench = {
  summary:
    "100,000 due subscriptions, compared with one hand-written SQL statement doing the same writes",
  async run({ server, scaled, onProgress }) {
    const due = scaled(DUE, 10);
    onProgress(`making ${due} subscriptions that are due`);
    const original = await server.createDatabase();
    await seedSubscriptions(original, { subscriptions: due, due });
    const rate = (grant: typeof grantByRun) => async () =>
      (due / (await onCopy(server, original, grant, due))) * 1000;
    const rates = await inTurns({
      rounds: ROUNDS,
      measure: rate(grantByRun),
      reference: rate(grantByStatement),
    });
    return [
      {
        what: `${due} due, granted`,
        against: "one SQL statement",
        unit: "/s",
        goal: { atLeast: 0.6 },
        ...rates,
      },
    ];
  },
};

/** Runs `grant` on a fresh copy and returns its duration in milliseconds. */
async function onCopy(
  server: BenchServer,
  original: string,
  grant: (url: string) => Promise<Granted>,
  due: number,
): Promise<number> {
  const url = await server.copyDatabase(original);
  const { milliseconds, grants } = await grant(url);
  await server.dropDatabase(url);
  if (grants !== due) throw new Error(`${grants} of ${due} subscriptions were granted`);
  return milliseconds;
}

interface Granted {
  milliseconds: number;
  grants: number;
}

function grantByRun(url: string): Promise<Granted> {
  return withDatabase(async (db) => {
    await db.$queryRaw`SELECT 1`;
    let grants = 0;
    const milliseconds = await timed(async () => {
      ({ grants } = await runDueGrants({}, db));
    });
    return { milliseconds, grants };
  }, url);
}

function grantByStatement(url: string): Promise<Granted> {
  return withClient(url, async (client) => {
    await client.query("SELECT 1");
    let grants = 0;
    const milliseconds = await timed(async () => {
      grants = (await client.query(STATEMENT)).rowCount ?? 0;
    });
    return { milliseconds, grants };
  });
}

const CREDITS = PLANS.map((plan) => `('${plan.planKey}', ${plan.creditsPerMonth})`).join(", ");

/**
 * The baseline for a writer who has the database alone: the same rows with the same values, without the
 * locks, batches and rechecks that make a run safe beside webhooks and spends.
 */
const STATEMENT = `
  WITH due AS (
    SELECT id, user_id, grant_period_id, grant_anchor_at, balance, credits,
      least(next_boundary, paid_until) AS expires_at,
      format('subscription:%s:%s:%s', provider, provider_subscription_id,
        to_char(next_grant_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS source
    FROM subscriptions
      JOIN credit_accounts USING (user_id)
      JOIN (VALUES ${CREDITS}) AS plan (plan_key, credits) USING (plan_key)
      CROSS JOIN LATERAL (SELECT (grant_anchor_at AT TIME ZONE 'UTC'
        + make_interval(months => grants_issued + 1)) AT TIME ZONE 'UTC' AS next_boundary) AS next
    WHERE status IN ('active', 'trialing') AND next_grant_at < paid_until AND next_grant_at <= now()
  ),
  lot AS (
    INSERT INTO credit_transactions
      (user_id, type, amount, balance_after, source, remaining, expires_at, reference)
    SELECT user_id, 'grant', credits, balance + credits, source, credits, expires_at,
      grant_period_id::text
    FROM due
  ),
  credited AS (
    UPDATE credit_accounts account SET balance = account.balance + due.credits,
      next_expiry_at = least(next_expiry_at, expires_at)
    FROM due WHERE account.user_id = due.user_id
  ),
  walked AS (
    UPDATE subscription_periods paid SET
      anchor_offset = extract(epoch FROM grant_anchor_at - starts_at) * 1000,
      granted_for = extract(epoch FROM expires_at - starts_at) * 1000, granted_credits = credits
    FROM due WHERE paid.id = grant_period_id
  )
  UPDATE subscriptions SET grants_issued = grants_issued + 1, next_grant_at = expires_at
  FROM due WHERE subscriptions.id = due.id`;
