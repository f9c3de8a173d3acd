import { beforeAll, expect, test } from "vitest";
import { LOOKS } from "~/models/audit/audit-actions";
import { USER_ACTION_NAMES } from "~/server/admin/user-actions";
import { ADMIN_CASES, actAs } from "../../helpers/admin-cases";
import { ADMINS, createAdmin, idOf } from "../../helpers/admins";
import { type Client, signUp } from "../../helpers/client";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("stripe", { ADMIN_EMAILS: ADMINS[0], WORKER: "off" });
let admin: Client;
let userId: string;

/** Lets no row that tells of an action be kept: its transaction fails at COMMIT. */
const REFUSAL = `
  CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no row is kept'; END $$;
  CREATE CONSTRAINT TRIGGER refuse_row AFTER INSERT ON audit_log DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.action <> ALL ('{${LOOKS.join(",")}}')) EXECUTE FUNCTION refuse_row();
  ALTER TABLE audit_log DISABLE TRIGGER refuse_row`;

/** Tables that actions write, and how. A delivery is claimed first, in a transaction of its own. */
const WRITTEN: Record<string, string> = {
  ...{ users: "UPDATE", sessions: "DELETE", credit_transactions: "INSERT" },
  ...{ payment_returns: "UPDATE", subscriptions: "UPDATE", outbox_emails: "UPDATE" },
  ...{ api_keys: "UPDATE", "pgboss.job_common": "UPDATE", webhook_inbox: "UPDATE" },
};

/** Lets no action be kept: its transaction fails at COMMIT. */
const CHANGES = Object.entries(WRITTEN).map(
  ([table, how]) => `
    CREATE CONSTRAINT TRIGGER refuse_change AFTER ${how} ON ${table} DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW ${table === "webhook_inbox" ? "WHEN (NEW.status = 'processed')" : ""}
      EXECUTE FUNCTION refuse_row();
    ALTER TABLE ${table} DISABLE TRIGGER refuse_change`,
);

const switchChanges = (state: "ENABLE" | "DISABLE") =>
  app.sql(
    Object.keys(WRITTEN)
      .map((table) => `ALTER TABLE ${table} ${state} TRIGGER refuse_change`)
      .join(";"),
  );

beforeAll(async () => {
  admin = await createAdmin(app);
  userId = await idOf(app, (await signUp(app.url)).email);
  for (const text of [REFUSAL, ...CHANGES]) await app.sql(text);
});

/** Rows that actions change. Of a delivery only its end: an attempt that failed is kept. */
const CHANGED = [
  ...["users", "credit_accounts", "credit_transactions", "subscriptions", "payment_returns"],
  ...["outbox_emails", "api_keys", "pgboss.job", "audit_log WHERE action <> ALL ($1)"],
  ...["sessions WHERE user_id = $2", "(SELECT id, status FROM webhook_inbox) AS delivery"],
];

async function readChanged(): Promise<Record<string, string[]>> {
  const read: Record<string, string[]> = {};
  for (const from of CHANGED) {
    // Each statement has both parameters, whether it uses them or not.
    const rows = await app.sql<{ row: string }>(
      `WITH known AS (SELECT $1::text[], $2::uuid) SELECT to_jsonb(found)::text AS row
       FROM (SELECT * FROM ${from}) AS found ORDER BY 1`,
      [LOOKS, userId],
    );
    read[from] = rows.map(({ row }) => row);
  }
  return read;
}

const DOING = USER_ACTION_NAMES.filter((name) => ADMIN_CASES[name].leaves.length > 0);

test.each(DOING)("%s is not done if its row can't be kept", async (name) => {
  const { plant, fields, leaves } = ADMIN_CASES[name];
  const target = await plant?.({ app, userId });
  const before = await readChanged();
  await app.sql("ALTER TABLE audit_log ENABLE TRIGGER refuse_row");
  const { reply, again } = await actAs({ admin, userId, name, target, ...(fields && { fields }) });
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect(await readChanged()).toEqual(before);
  await app.sql("ALTER TABLE audit_log DISABLE TRIGGER refuse_row");
  await again();
  const rows = await app.sql<{ action: string }>(
    "SELECT action FROM audit_log WHERE action <> ALL ($1) ORDER BY id DESC LIMIT $2",
    [LOOKS, leaves.length],
  );
  expect(rows.map(({ action }) => action).toReversed()).toEqual(leaves.map((row) => row.action));
  expect(await readChanged()).not.toEqual(before);
});

test.each(DOING)("%s that isn't kept leaves no row that says it was done", async (name) => {
  const { plant, fields } = ADMIN_CASES[name];
  const person = { app, userId: await idOf(app, (await signUp(app.url)).email) };
  const target = await plant?.(person);
  const listRows = () =>
    app.sql<{ action: string }>(
      "SELECT action FROM audit_log WHERE action <> ALL ($1) ORDER BY id",
      [LOOKS],
    );
  const before = await listRows();
  await switchChanges("ENABLE");
  const asked = { admin, userId: person.userId, name, target, ...(fields && { fields }) };
  const { reply } = await actAs(asked).finally(() => switchChanges("DISABLE"));
  expect(reply.status).toBeGreaterThanOrEqual(400);
  // That the provider was asked is true, whatever came of it.
  const left = (await listRows()).slice(before.length).map(({ action }) => action);
  expect(left.filter((action) => action !== "subscription_end_asked")).toEqual([]);
});
