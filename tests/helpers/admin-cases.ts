import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { connectDb } from "~/db.server";
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
  leaves: string[];
  /** The page says more than that it was done. */
  isSaid?: boolean;
}

/** A server with payments, and a person on it. */
interface Site {
  app: ServerUnderTest;
  userId: string;
}

const reason = "a test of the admin pages";

/** Each action, once where it does something. The walks do a reconciliation that finds something. */
export const ADMIN_CASES: Record<UserAction, AdminCase> = {
  adjust: { fields: { amount: "50", reason }, leaves: ["ledger_adjusted"] },
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
    leaves: ["subscription_end_asked", "subscription_ended"],
    isSaid: true,
  },
  sign_out: { fields: { reason }, leaves: ["user_signed_out"] },
  disable: { fields: { reason }, leaves: ["user_disabled"] },
  enable: { fields: { reason }, leaves: ["user_enabled"] },
  replay: { plant: (site) => plantDelivery(site), leaves: ["delivery_replayed"] },
  apply_return: { plant: ({ app }) => plantReturn(app, "pi_of_nobody"), leaves: [] },
  drop_return: {
    plant: ({ app }) => plantReturn(app, `pi_${randomUUID()}`),
    fields: { reason },
    leaves: ["return_dropped"],
  },
  retry_email: { plant: (site) => plantEmail(site), leaves: ["email_retried"] },
  retry_job: { plant: (site) => plantJob(site, "failed"), leaves: ["job_retried"] },
  drop_job: { plant: (site) => plantJob(site, "created"), leaves: ["job_dropped"] },
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
    leaves: ["api_key_revoked"],
  },
};

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

/** Opens the page of an action and sends its form. */
export async function actAs({ admin, userId, name, fields = {}, target }: Act) {
  const query = target ? `&target=${target}` : "";
  const path = `/en/admin/users/${userId}/act?do=${name}${query}`;
  const page = await admin.fetch(path);
  expect(page.status).toBe(200);
  const key = /name="key" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  const sent = { do: name, key, ...(target ? { target } : {}), ...fields };
  return { reply: await admin.post(path, sent), again: () => admin.post(path, sent) };
}
