import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { connectDb } from "~/db.server";
import { addJob } from "~/models/jobs/add-job.server";
import { TYPED_TWICE_ABOVE, USER_ACTION_NAMES, type UserAction } from "~/server/admin/user-actions";
import { ADMINS, createAdmin, idOf } from "../../helpers/admins";
import { type Client, signUp } from "../../helpers/client";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("stripe", { ADMIN_EMAILS: ADMINS.join(","), WORKER: "off" });
let admin: Client;
let adminId: string;
let userId: string;

beforeAll(async () => {
  admin = await createAdmin(app);
  adminId = await idOf(app, ADMINS[0]);
  userId = await idOf(app, (await signUp(app.url)).email);
});

const inDatabase = async <T>(work: (db: ReturnType<typeof connectDb>) => Promise<T>) => {
  const db = connectDb(app.databaseUrl);
  return work(db).finally(() => db.$disconnect());
};

async function plantJob(state: "created" | "failed"): Promise<string> {
  const emailId = await plantEmail();
  await inDatabase((db) =>
    db.$transaction((transaction) => addJob("emails", { emailId }, transaction)),
  );
  const [job] = await app.sql<{ id: string }>(
    "UPDATE pgboss.job SET state = $2 WHERE data->>'emailId' = $1 RETURNING id",
    [emailId, state],
  );
  return job?.id ?? "";
}

async function plantEmail(): Promise<string> {
  const [email] = await app.sql<{ id: string }>(
    `INSERT INTO outbox_emails (user_id, kind, recipient, locale)
     VALUES ($1, 'account_deleted', 'person@example.com', 'en') RETURNING id`,
    [userId],
  );
  return email?.id ?? "";
}

async function plantReturn(paymentId: string): Promise<string> {
  const [row] = await app.sql<{ id: string }>(
    `INSERT INTO payment_returns (provider, kind, provider_return_id, provider_payment_id, state, amount, currency,
       charged_amount)
     VALUES ('stripe', 'refund', $1, $2, 'succeeded', 100, 'usd', 100) RETURNING id`,
    [`re_${randomUUID()}`, paymentId],
  );
  return row?.id ?? "";
}

async function plantDelivery(payload: string): Promise<string> {
  const [row] = await app.sql<{ id: string }>(
    `INSERT INTO webhook_inbox (provider, dedupe_key, event_type, payload, status)
     VALUES ('stripe', $1, 'a.test', convert_to($2, 'UTF8'), 'failed') RETURNING id`,
    [`id:${randomUUID()}`, payload],
  );
  return row?.id ?? "";
}

interface Case {
  /** Makes what it is done to, and returns its id. */
  plant?: () => Promise<string>;
  fields?: Record<string, string>;
  /** The rows that it leaves. */
  leaves: string[];
}

const reason = "a test of the admin pages";

/** Each action, once where it does something. The walks do a reconciliation that finds something. */
const CASES: Record<UserAction, Case> = {
  adjust: { fields: { amount: "50", reason }, leaves: ["ledger_adjusted"] },
  reconcile: { leaves: [] },
  sign_out: { fields: { reason }, leaves: ["user_signed_out"] },
  disable: { fields: { reason }, leaves: ["user_disabled"] },
  enable: { fields: { reason }, leaves: ["user_enabled"] },
  replay: {
    plant: () =>
      plantDelivery(JSON.stringify({ id: "evt_1", type: "a.test", data: { object: {} } })),
    leaves: ["delivery_replayed"],
  },
  apply_return: { plant: () => plantReturn("pi_of_nobody"), leaves: [] },
  drop_return: {
    plant: () => plantReturn(`pi_${randomUUID()}`),
    fields: { reason },
    leaves: ["return_dropped"],
  },
  retry_email: { plant: plantEmail, leaves: ["email_retried"] },
  retry_job: { plant: () => plantJob("failed"), leaves: ["job_retried"] },
  drop_job: { plant: () => plantJob("created"), leaves: ["job_dropped"] },
  revoke_key: {
    async plant() {
      await app.sql("INSERT INTO credit_accounts (user_id) VALUES ($1) ON CONFLICT DO NOTHING", [
        userId,
      ]);
      const [row] = await app.sql<{ id: string }>(
        `INSERT INTO api_keys (account_id, actor_id, name, prefix, token_hash, scopes)
         VALUES ($1, $1, 'A key', 'rcs_test_abc', decode(repeat('ab', 32), 'hex'), '{}') RETURNING id`,
        [userId],
      );
      return row?.id ?? "";
    },
    fields: { reason },
    leaves: ["api_key_revoked"],
  },
};

/** A kept return has no person yet. */
const listRows = () =>
  app.sql<{ action: string; actor: string; reason: string | null; person: string | null }>(
    "SELECT action, actor, reason, subject_user_id AS person FROM audit_log WHERE action <> 'user_viewed' ORDER BY id",
  );

/** Opens the page of an action and sends its form. */
async function act(name: UserAction, { target, ...fields }: Record<string, string> = {}) {
  const query = target ? `&target=${target}` : "";
  const path = `/en/admin/users/${userId}/act?do=${name}${query}`;
  const page = await admin.fetch(path);
  expect(page.status).toBe(200);
  const key = /name="key" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  const sent = { do: name, key, ...(target ? { target } : {}), ...fields };
  return { reply: await admin.post(path, sent), again: () => admin.post(path, sent) };
}

test.each(USER_ACTION_NAMES)("%s leaves its row once, with who did it and why", async (name) => {
  const { plant, fields = {}, leaves } = CASES[name];
  const target = await plant?.();
  const before = await listRows();
  const { reply, again } = await act(name, { ...fields, ...(target ? { target } : {}) });
  const added = (await listRows()).slice(before.length);
  expect(added).toEqual(
    leaves.map((action) => ({
      ...{ action, actor: adminId, reason: fields.reason ?? null },
      person: name === "drop_return" ? null : userId,
    })),
  );
  expect(reply.status).toBe(leaves.length > 0 ? 303 : 409);
  expect(app.server.logs).toContainEqual(
    expect.objectContaining({
      ...{ event: "admin_action", action: name, admin: adminId, userId },
      outcome: leaves.length > 0 ? "success" : "failure",
    }),
  );
  await again();
  const isRepeated = ["sign_out", "replay", "retry_email", "retry_job"].includes(name);
  expect((await listRows()).length - before.length).toBe(leaves.length * (isRepeated ? 2 : 1));
});

test("an action that fails leaves no row that says it happened", async () => {
  const before = await listRows();
  const broken = await plantDelivery("not JSON at all");
  const replies = [
    await act("replay", { target: broken }),
    await act("adjust", { amount: "-999999", amountAgain: "-999999", reason }),
    await act("revoke_key", { target: randomUUID(), reason }),
    await act("adjust", { amount: String(TYPED_TWICE_ABOVE + 1), reason }),
    await act("disable"),
  ];
  expect(replies.map(({ reply }) => reply.status)).toEqual([409, 409, 409, 400, 400]);
  expect(await listRows()).toEqual(before);
});

test("a person is found by each id of theirs, and their page shows no prompt", async () => {
  const { person, sessionId, webhooks } = await app.buy("plan");
  for (const webhook of webhooks) await app.deliver(webhook);
  const id = await idOf(app, person.email);
  const [known] = await app.sql<Record<string, string>>(
    `SELECT provider_subscription_id AS sub, provider_customer_id AS customer, subscriptions.id AS row,
       (SELECT provider_payment_id FROM subscription_periods WHERE subscription_id = subscriptions.id) AS invoice
     FROM subscriptions WHERE user_id = $1`,
    [id],
  );
  expect(sessionId).not.toBe("");
  for (const text of [person.email.toUpperCase(), id, ...Object.values(known ?? {})]) {
    const html = await (await admin.fetch(`/en/admin?q=${encodeURIComponent(text)}`)).text();
    expect([text, html.includes(`/en/admin/users/${id}`)]).toEqual([text, true]);
  }
  const html = await (await admin.fetch(`/en/admin/users/${id}`)).text();
  expect(html).toContain(`https://dashboard.stripe.com/test/subscriptions/${known?.sub}`);
  expect(html).toContain("customer.subscription.created");
  // The person sees the look in their own pages, without who it was.
  const own = await (await person.fetch("/en/account/security")).text();
  expect(own).toContain("The account was looked at");
  expect(own).not.toContain(adminId);
});
