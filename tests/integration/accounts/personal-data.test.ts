import { expect, test } from "vitest";
import { ACTION_KEYS } from "~/catalog";
import { withClient } from "../../../scripts/lib/with-client";
import { signUp } from "../../helpers/client";
import { type PersonalColumn, plantRows, type Values } from "../../helpers/personal-rows";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();

/** Rules for tables with personal data, so that an account can be deleted and exported whole. */
const VALUES: Values = {
  sessions: { expires_at: "now() + interval '1 day'" },
  files: { status: "'confirmed'", deleted_at: "NULL" },
  credit_transactions: {
    type: "'grant'",
    source: "'signup:1'",
    remaining: "0",
    expires_at: "NULL",
  },
  credit_repairs: { field: "'remaining'", after: "'0'" },
  audit_log: { actor: "'operator:test'" },
  // One of each action, so that each action's own table has its row.
  metered_runs: {
    status: "'settled'",
    action: ACTION_KEYS.map((key) => `'${key}'`),
  },
  // The runs' trigger has written some.
  usage_months: { id: "900000" },
  top_ups: { status: "'paid'" },
  image_generations: { images: "'[]'" },
  orders: { provider: "'stripe'", credits_reversed: "0", credits_short: "0" },
  subscriptions: {
    provider: "'stripe'",
    period: "'month'",
    scheduled_plan_key: "NULL",
    scheduled_period: "NULL",
    status: "'canceled'",
  },
  subscription_periods: {
    provider: "'stripe'",
    kind: "'paid'",
    period: "'month'",
    starts_at: "now() - interval '1 day'",
  },
  payment_returns: {
    provider: "'stripe'",
    kind: "'refund'",
    state: "'succeeded'",
    period_id: "NULL",
  },
};

/** Texts that the export leaves out, by the reason. */
const NOT_EXPORTED = {
  "a step of signing in or a link: it ends by itself": [
    "auth_challenges.purpose",
    "verification_tokens.purpose",
    "verification_tokens.new_email",
  ],
  "it identifies a request, for repeats of it": [
    "idempotency_keys.key",
    "idempotency_keys.request_hash",
    "idempotency_keys.scope",
    "metered_runs.idempotency_key",
    "metered_runs.request_hash",
    "outbox_emails.key",
  ],
  "how the site works, and nothing about the person": [
    "crossings.watcher",
    "files.etag",
    "metered_runs.model",
    "metered_runs.provider_request_id",
    "outbox_emails.last_error",
    "outbox_emails.locale",
  ],
  "the same stands in the run, the order or the payment": [
    "payment_returns.provider_checkout_id",
    "payment_returns.provider_customer_id",
    "payment_returns.provider_invoice_id",
    "payment_returns.provider_order_id",
    "payment_returns.provider_payment_id",
    "payment_returns.provider_subscription_id",
    "payment_returns.sku_key",
  ],
  "the public half of a key that a device keeps": ["passkeys.credential_id"],
  "an operator's own: a name, a note about a return whose payment is unknown": [
    "audit_log.network",
    "audit_log.request_id",
    "credit_repairs.operator",
    "payment_returns.dropped_reason",
  ],
};

/** Texts that outlive the account, by the reason. */
const KEPT = {
  "the ledger, its repairs and the audit log can't change": [
    "audit_log.action",
    "audit_log.network",
    "audit_log.reason",
    "audit_log.request_id",
    "audit_log.subject",
    "credit_repairs.before",
    "credit_repairs.operator",
    "credit_repairs.reason",
    "credit_transactions.description",
    "credit_transactions.reference",
  ],
  "what was bought, paid and returned: books have to be kept": [
    "orders.currency",
    "orders.provider_checkout_id",
    "orders.provider_payment_id",
    "orders.sku_key",
    "payment_returns.currency",
    "payment_returns.dropped_reason",
    "payment_returns.provider_checkout_id",
    "payment_returns.provider_customer_id",
    "payment_returns.provider_invoice_id",
    "payment_returns.provider_order_id",
    "payment_returns.provider_payment_id",
    "payment_returns.provider_return_id",
    "payment_returns.provider_subscription_id",
    "payment_returns.sku_key",
    "top_ups.currency",
    "top_ups.payment_method_id",
    "top_ups.provider_customer_id",
    "top_ups.provider_payment_id",
    "top_ups.reason",
    "top_ups.sku_key",
    "subscription_periods.currency",
    "subscription_periods.plan_key",
    "subscription_periods.provider_payment_id",
    "subscriptions.plan_key",
    "subscriptions.provider_customer_id",
    "subscriptions.provider_price_id",
    "subscriptions.provider_subscription_id",
  ],
  "what a run was, without what it was about": [
    "image_generations.size",
    "metered_runs.error",
    "metered_runs.model",
    "metered_runs.provider",
    "metered_runs.provider_request_id",
  ],
  "until maintenance has removed the object from the store": [
    "files.content_type",
    "files.etag",
    "files.key",
  ],
};

const placeOf = ({ table, column }: PersonalColumn) => `${table}.${column}`;
const named = (list: Record<string, string[]>) => Object.values(list).flat().sort();

test("each text about a person is in their export and goes with their account, or is named above", async () => {
  const person = await signUp(app.url);
  const planted = await withClient(app.databaseUrl, async (client) => {
    const { rows } = await client.query("SELECT id FROM users WHERE email = $1", [person.email]);
    return plantRows(client, { userId: rows[0].id, values: VALUES });
  });

  const exported = await (await person.fetch("/en/account/export")).text();
  const left = planted.filter((text) => !exported.includes(text.planted)).map(placeOf);
  expect.soft(left.sort()).toEqual(named(NOT_EXPORTED));

  const password = { currentPassword: "correct horse battery" };
  const response = await person.post("/en/account/delete", password);
  expect(response.headers.get("location")).toBe("/en/sign-in?done=deleted");
  const kept: string[] = [];
  for (const text of planted) {
    const { table, column } = text;
    const rows = await app.sql(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [text.planted]);
    if (rows.length > 0) kept.push(placeOf(text));
  }
  expect(kept.sort()).toEqual(named(KEPT));
});
