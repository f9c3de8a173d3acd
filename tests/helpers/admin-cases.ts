import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { connectDb } from "~/db.server";
import type { AuditAction } from "~/models/audit/audit-actions";
import { addJob } from "~/models/jobs/add-job.server";
import type { UserAction } from "~/server/admin/user-actions";
import { PLAN } from "../fixtures/sold";
import type { Client } from "./client";
import type { ServerUnderTest } from "./with-test-server";

export interface AdminCase {
  /** Makes the action's object, and returns its id. */
  plant?: (site: Site) => Promise<string>;
  fields?: Record<string, string>;
  /** The rows that it leaves. */
  leaves: LeftRow[];
  /** The page says more than that it was done. */
  isSaid?: boolean;
}

/** The part of a row of the audit log that isn't who, on whom and why. */
interface LeftRow {
  action: AuditAction;
  /** Of the action's object. */
  subject?: (target: string) => unknown;
  before?: object;
  after?: object;
}

/** A server with payments, and a person on it. */
interface Site {
  app: ServerUnderTest;
  userId: string;
}

const reason = "a test of the admin pages";

/** The sessions that the person is given before an action that ends them. */
const SESSIONS = 2;

/** Each action, once where it does something. The walks do a reconciliation that finds something. */
export const ADMIN_CASES: Record<UserAction, AdminCase> = {
  adjust: {
    fields: { amount: "50", reason },
    leaves: [
      {
        action: "ledger_adjusted",
        subject: () => expect.stringMatching(/^transaction:\d+$/),
        before: { balance: 0 },
        after: { balance: 50 },
      },
    ],
  },
  reconcile: { leaves: [] },
  end_subscription: {
    // The provider doesn't have it, so it has ended. tests/integration/billing/ending-now.test.ts ends real ones.
    plant: ({ app, userId }) =>
      insert(
        app,
        `INSERT INTO subscriptions (user_id, provider, provider_subscription_id, plan_key, period, status)
         VALUES ($1, 'stripe', $2, $3, 'month', 'active') RETURNING id`,
        [userId, `sub_${randomUUID()}`, PLAN.planKey],
      ),
    fields: { reason },
    leaves: [
      { action: "subscription_end_asked", subject: (target) => `subscription:${target}` },
      {
        action: "subscription_ended",
        subject: (target) => `subscription:${target}`,
        before: { running: true },
        after: { running: false, creditsTaken: 0, unknownAtProvider: true },
      },
    ],
    isSaid: true,
  },
  sign_out: {
    plant: (site) => plantSessions(site),
    fields: { reason },
    leaves: [{ action: "user_signed_out", after: { sessionsEnded: SESSIONS } }],
  },
  disable: {
    plant: (site) => plantSessions(site),
    fields: { reason },
    leaves: [{ action: "user_disabled", after: { sessionsEnded: SESSIONS } }],
  },
  enable: {
    async plant({ app, userId }) {
      await app.sql("UPDATE users SET disabled_at = now() WHERE id = $1", [userId]);
      return "";
    },
    fields: { reason },
    leaves: [{ action: "user_enabled" }],
  },
  replay: {
    plant: (site) => plantDelivery(site),
    leaves: [{ action: "delivery_replayed", subject: (target) => `delivery:${target}` }],
  },
  apply_return: { plant: ({ app }) => plantReturn(app, "pi_of_nobody"), leaves: [] },
  drop_return: {
    plant: ({ app }) => plantReturn(app, `pi_${randomUUID()}`),
    fields: { reason },
    leaves: [
      {
        action: "return_dropped",
        subject: () => expect.stringMatching(/^stripe:payment pi_/),
        after: { count: 1 },
      },
    ],
  },
  retry_email: {
    plant: (site) => plantEmail(site),
    leaves: [{ action: "email_retried", subject: (target) => `email:${target}` }],
  },
  retry_job: {
    plant: (site) => plantJob(site, "failed"),
    leaves: [{ action: "job_retried", subject: (target) => `job:${target}` }],
  },
  drop_job: {
    plant: (site) => plantJob(site, "created"),
    leaves: [{ action: "job_dropped", subject: (target) => `job:${target}` }],
  },
  revoke_key: {
    async plant({ app, userId }) {
      await app.sql("INSERT INTO credit_accounts (user_id) VALUES ($1) ON CONFLICT DO NOTHING", [
        userId,
      ]);
      return insert(
        app,
        `INSERT INTO api_keys (account_id, actor_id, name, prefix, token_hash, scopes)
         VALUES ($1, $1, 'A key', 'rcs_test_abc', sha256(convert_to($2, 'UTF8')), '{}') RETURNING id`,
        [userId, randomUUID()],
      );
    },
    fields: { reason },
    leaves: [{ action: "api_key_revoked", subject: (target) => `api_key:${target}` }],
  },
};

/** Gives the person so many sessions, and no other. */
async function plantSessions({ app, userId }: Site): Promise<string> {
  await app.sql("DELETE FROM sessions WHERE user_id = $1", [userId]);
  await app.sql(
    `INSERT INTO sessions (user_id, token_hash, expires_at)
     SELECT $1, sha256(convert_to($2 || n, 'UTF8')), now() + interval '1 day' FROM generate_series(1, $3::int) AS n`,
    [userId, randomUUID(), SESSIONS],
  );
  return "";
}

/** Plants a failed delivery that was found to name the person. By default an event of no effect. */
export const plantDelivery = (
  { app, userId }: Site,
  payload: string = JSON.stringify({
    ...{ id: "evt_1", type: "a.test" },
    data: { object: { client: userId } },
  }),
): Promise<string> =>
  insert(
    app,
    `INSERT INTO webhook_inbox (provider, dedupe_key, event_type, payload, status, names)
     VALUES ('stripe', $1, 'a.test', convert_to($2, 'UTF8'), 'failed', $3) RETURNING id`,
    [`id:${randomUUID()}`, payload, [userId]],
  );

async function plantJob({ app, userId }: Site, state: "created" | "failed"): Promise<string> {
  const emailId = await plantEmail({ app, userId });
  const db = connectDb(app.databaseUrl);
  await db
    .$transaction((transaction) => addJob("emails", { emailId }, transaction))
    .finally(() => db.$disconnect());
  return insert(app, "UPDATE pgboss.job SET state = $2 WHERE data->>'emailId' = $1 RETURNING id", [
    emailId,
    state,
  ]);
}

const plantEmail = ({ app, userId }: Site): Promise<string> =>
  insert(
    app,
    `INSERT INTO outbox_emails (user_id, kind, recipient, locale)
     VALUES ($1, 'account_deleted', 'person@example.com', 'en') RETURNING id`,
    [userId],
  );

const plantReturn = (app: ServerUnderTest, paymentId: string): Promise<string> =>
  insert(
    app,
    `INSERT INTO payment_returns (provider, kind, provider_return_id, provider_payment_id, state, amount, currency,
       charged_amount)
     VALUES ('stripe', 'refund', $1, $2, 'succeeded', 100, 'usd', 100) RETURNING id`,
    [`re_${randomUUID()}`, paymentId],
  );

async function insert(app: ServerUnderTest, sql: string, values: unknown[]): Promise<string> {
  const [row] = await app.sql<{ id: string }>(sql, values);
  return row?.id ?? "";
}

interface Act {
  admin: Client;
  userId: string;
  name: UserAction;
  fields?: Record<string, string>;
  target?: string | undefined;
}

/** Opens the page of an action. Returns what sends its form. */
export async function openAction({ admin, userId, name, fields = {}, target }: Act) {
  const query = target ? `&target=${target}` : "";
  const path = `/en/admin/users/${userId}/act?do=${name}${query}`;
  const page = await admin.fetch(path);
  expect(page.status).toBe(200);
  const key = /name="key" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  const sent = { do: name, key, ...(target ? { target } : {}), ...fields };
  return () => admin.post(path, sent);
}

/** Opens the page of an action and sends its form. */
export async function actAs(act: Act) {
  const send = await openAction(act);
  return { reply: await send(), again: send };
}
