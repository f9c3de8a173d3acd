import { onTestFinished } from "vitest";
import { connectDb, type Database } from "~/db.server";
import { parseEnv } from "~/env.server";
import {
  type Outcome,
  reconcile as runReconciliation,
} from "~/models/billing/reconciliation/run-reconciliation.server";
import { allowAddressesOf } from "~/services/outgoing/allowed-origins.server";
import { openBillingRecords } from "~/services/payments/open-billing-records.server";
import { runScript } from "./run-script";
import type { ReceivedWebhook } from "./webhook-receiver";
import { ofType, type PaymentServerUnderTest, type Purchase } from "./with-payment-server";

/** Runs `npm run billing -- <command>` with the app's own environment. */
export function runBilling(app: PaymentServerUnderTest, ...args: string[]) {
  return runScript("scripts/billing/billing.command.ts", args, environmentOf(app));
}

export function runReconcile(app: PaymentServerUnderTest, ...args: string[]) {
  return runBilling(app, "reconcile", ...args);
}

const environmentOf = (app: PaymentServerUnderTest) => ({
  AUTH_SECRET: "test-secret-that-is-long-enough-to-be-one",
  NEXT_PUBLIC_SITE_URL: app.url,
  ...app.env,
  DATABASE_URL: app.databaseUrl,
});

/**
 * Runs the same in this process, since starting the command takes longer than its work. Returns its
 * findings.
 */
export async function reconcile(
  app: PaymentServerUnderTest,
  options: { apply?: boolean; checkouts?: string[]; since?: Date; userId?: string } = {},
): Promise<Outcome[]> {
  const environment = environmentOf(app);
  // The effects read the catalog's prices from there; they are the same for every stand-in.
  Object.assign(process.env, environment);
  const env = parseEnv(environment);
  allowAddressesOf(env);
  const { payments } = env;
  const records = openBillingRecords(app.provider, payments);
  if (!records) throw new Error(`${app.provider} has no key`);
  const outcomes: Outcome[] = [];
  const db = databaseOf(app);
  const prices = app.provider === "stripe" ? payments.stripe.prices : payments.creem.products;
  const { apply = false, checkouts = [], userId = null } = options;
  const since = options.since ?? new Date(Date.now() - 60 * 60 * 1000);
  await runReconciliation(
    { db, records, prices, userId, since, site: new URL(app.url).host, startedAt: new Date() },
    {
      apply,
      checkouts,
      onOutcome: (outcome) => void outcomes.push(outcome),
      onProgress: () => undefined,
    },
  );
  return outcomes;
}

const databases = new Map<string, Database>();

/** One client for all runs of a test: a client compiles each of its queries once. */
export function databaseOf({ databaseUrl }: PaymentServerUnderTest): Database {
  const known = databases.get(databaseUrl);
  if (known) return known;
  const db = connectDb(databaseUrl);
  databases.set(databaseUrl, db);
  onTestFinished(async () => {
    databases.delete(databaseUrl);
    await db.$disconnect();
  });
  return db;
}

/** Returns the provider's id of the subscription that a purchase created. */
export function subscriptionOf({ webhooks }: Purchase): string {
  const types = ["customer.subscription.created", "subscription.active"];
  const first = webhooks.find(({ type }) => types.includes(type)) ?? ofType(webhooks, "none");
  const body = JSON.parse(new TextDecoder().decode(first.rawBody)) as {
    data?: { object: { id: string } };
    object: { id: string };
  };
  return (body.data?.object ?? body.object).id;
}

export async function deliverAll(app: PaymentServerUnderTest, webhooks: ReceivedWebhook[]) {
  const responses = [];
  for (const webhook of webhooks) responses.push(await app.deliver(webhook));
  return responses.map(({ status }) => status);
}

/**
 * Returns everything a user's purchases left in the database, without what differs between two
 * users: ids, and the time of day. Times are offsets from the grant anchor.
 */
export async function billingOf(app: PaymentServerUnderTest, email: string) {
  const [billing] = await app.sql<{ orders: object[]; subscriptions: object[]; ledger: object[] }>(
    `SELECT
       (SELECT json_agg(o ORDER BY o.sku_key) FROM (
          SELECT provider, sku_key, credits, amount, currency, amount_refunded, amount_disputed,
            credits_reversed, credits_short, status, paid_at IS NOT NULL AS paid,
            provider_payment_id IS NOT NULL AS has_payment
          FROM orders WHERE user_id = users.id) o) AS orders,
       (SELECT json_agg(s) FROM (
          SELECT provider, plan_key, period, status, cancel_at_period_end, ended_at IS NOT NULL AS ended,
            provider_customer_id IS NOT NULL AS has_customer, grants_issued,
            current_period_start - grant_anchor_at AS period_start,
            current_period_end - grant_anchor_at AS period_end,
            -- A closed period ends when it was closed.
            date_trunc('hour', paid_until - grant_anchor_at) AS paid_until, next_grant_at - grant_anchor_at AS next_grant,
            (SELECT json_agg(p) FROM (
               SELECT kind, starts_at - grant_anchor_at AS starts, ends_at - grant_anchor_at AS ends,
                 periods.plan_key, amount, currency, amount_returned, closed_at IS NOT NULL AS closed,
                 provider_payment_id IS NOT NULL AS paid, granted_for
               FROM subscription_periods periods WHERE subscription_id = subscriptions.id
               ORDER BY starts_at) p) AS periods
          FROM subscriptions WHERE user_id = users.id) s) AS subscriptions,
       (SELECT json_agg(t ORDER BY t.id) FROM (
          SELECT row_number() OVER (ORDER BY id) AS id, type, amount, balance_after, remaining,
            split_part(source, ':', 1) AS source, expires_at IS NULL AS for_ever
          FROM credit_transactions WHERE user_id = users.id) t) AS ledger
     FROM users WHERE email = $1`,
    [email],
  );
  if (!billing) throw new Error(`nobody has the address ${email}`);
  return billing;
}
