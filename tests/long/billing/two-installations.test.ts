import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { deliverAll, reconcile } from "../../helpers/reconciliation";
import { createTestDatabase } from "../../helpers/test-database";
import { type PaymentServerUnderTest, withPaymentServer } from "../../helpers/with-payment-server";

const APPS = { stripe: withPaymentServer("stripe"), creem: withPaymentServer("creem") };
const BOTH = ["stripe", "creem"] as const;

/** Starts a second installation on the same provider account, with a database of its own. */
async function startNeighbour(app: PaymentServerUnderTest) {
  const databaseUrl = await createTestDatabase();
  const server = await app.startAnother({ DATABASE_URL: databaseUrl });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  onTestFinished(async () => {
    await pool.end();
    await server.stop();
  });
  return {
    ...app,
    url: server.url,
    databaseUrl,
    count: async (table: string) =>
      (await pool.query(`SELECT count(*)::int AS n FROM ${table}`)).rows[0].n as number,
  };
}

test.each(BOTH)(
  "%s: what one installation sells is acknowledged by its neighbour, without effect",
  async (name) => {
    const app = APPS[name];
    const neighbour = await startNeighbour(app);
    for (const item of ["pack", "plan"] as const) {
      const { webhooks, sessionId } = await app.buy(item);
      const refunds =
        item === "pack"
          ? await app.hold(() => app.control(name, "POST", `/payments/${sessionId}/refund`))
          : [];
      for (const webhook of [...webhooks, ...refunds])
        expect(await app.deliver(webhook, neighbour.url)).toEqual({
          status: 200,
          body: { deduped: false },
        });
      expect(new Set(await deliverAll(app, [...webhooks, ...refunds]))).toEqual(new Set([200]));
    }
    for (const table of ["orders", "subscriptions", "credit_transactions"])
      expect([table, await neighbour.count(table)]).toEqual([table, 0]);
    // Creem's payments name neither checkout nor metadata, so whose a pack's payment is stays open.
    const open =
      name === "creem" ? [{ advice: expect.stringContaining("another installation") }] : [];
    expect(await reconcile(neighbour)).toMatchObject(open);
    expect(await reconcile(app)).toEqual([]);
  },
);

test("a lost user of our own is a failure that says so, and stays in the inbox", async () => {
  const app = APPS.stripe;
  const { person, webhooks } = await app.buy("pack");
  // As after the restore of a backup from before the sign-up.
  await app.sql("DELETE FROM users WHERE email = $1", [person.email]);
  expect(await deliverAll(app, webhooks)).toEqual([500]);
  expect(
    await app.sql("SELECT status, last_error FROM webhook_inbox WHERE status = 'failed'"),
  ).toEqual([
    {
      status: "failed",
      last_error: expect.stringMatching(/^no user here has the id \S+, for whom/),
    },
  ]);
});
