import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { CURRENCY } from "~/catalog";
import { MIDDLE_PACK } from "../fixtures/sold";
import { expectSoundLedger, ledgerOf } from "../helpers/ledger";
import { runMaintenance } from "../helpers/with-image-server";
import { ofType, withPaymentServer } from "../helpers/with-payment-server";

const app = withPaymentServer("stripe");

/** Locks a table, so that every write to it waits until the returned function is called. */
async function holdTable(table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  await client.query("BEGIN");
  await client.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
  return async () => {
    await client.query("ROLLBACK");
    await client.end();
  };
}

const waiting = (table: string) =>
  app.sql(`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass`, [table]);

/** Delivers a pack's checkout to a server that is killed while the delivery waits for this table. */
async function killBeforeWriting(table: string, { isKnown }: { isKnown: boolean }) {
  const { person, webhooks, sessionId } = await app.buy("pack");
  const checkout = ofType(webhooks, "checkout.session.completed");
  if (isKnown) {
    await app.sql(
      `INSERT INTO orders (user_id, provider, provider_checkout_id, sku_key, credits, amount, currency)
       SELECT id, 'stripe', $1, '${MIDDLE_PACK.skuKey}', ${MIDDLE_PACK.credits}, ${MIDDLE_PACK.amount}, '${CURRENCY}' FROM users WHERE email = $2`,
      [sessionId, person.email],
    );
  }
  const victim = await app.startAnother();
  onTestFinished(() => void victim.process.kill("SIGKILL"));
  const release = await holdTable(table);
  app.deliver(checkout, victim.url).catch(() => undefined);
  await vi.waitFor(async () => expect(await waiting(table)).toHaveLength(1), { timeout: 20_000 });
  victim.process.kill("SIGKILL");
  await victim.stop();
  await release();
  await expect.poll(() => waiting(table)).toEqual([]);
  return { person, checkout };
}

const CASES = ["orders", "credit_accounts", "credit_transactions"].flatMap((table) => [
  { table, order: "known" },
  { table, order: "new" },
]);

test.each(CASES)(
  "killed outright before it wrote to $table, the delivery of a $order order has its one effect by maintenance",
  async ({ table, order }) => {
    const { person, checkout } = await killBeforeWriting(table, { isKnown: order === "known" });

    // The lease hasn't expired yet: a copy is reported as a duplicate and changes nothing.
    expect(await app.deliver(checkout)).toEqual({ status: 200, body: { deduped: true } });
    expect(await runMaintenance(app.url)).toMatchObject({ deliveriesProcessed: 0 });
    expect(await ledgerOf(app, person.email)).toEqual([]);
    await app.sql("UPDATE webhook_inbox SET lease_until = now() WHERE status = 'processing'");
    const both = await Promise.all([runMaintenance(app.url), runMaintenance(app.url)]);
    expect(both.map(({ deliveriesProcessed }) => deliveriesProcessed).sort()).toEqual([0, 1]);
    expect(await app.deliver(checkout)).toEqual({ status: 200, body: { deduped: true } });
    expect(await ledgerOf(app, person.email)).toEqual([["grant", MIDDLE_PACK.credits]]);
    await expectSoundLedger(app);
  },
);
