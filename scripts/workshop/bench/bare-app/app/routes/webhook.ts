import type { ActionFunctionArgs } from "@remix-run/node";
import { pool } from "../pool.server";

interface Event {
  id: string;
  type: string;
  data: {
    object: {
      id: string;
      payment_intent: string;
      amount_total: number;
      currency: string;
      metadata: { user_id: string; sku_key: string };
    };
  };
}

const CREDITS = 100;

/**
 * Written as a good programmer would by hand, for one known case: transaction 1 stores the delivery,
 * transaction 2 writes the order, the balance, the ledger row and the delivery's end. No signature, no
 * lease, no check of price or user.
 */
export async function action({ request }: ActionFunctionArgs) {
  const payload = Buffer.from(await request.arrayBuffer());
  const event = JSON.parse(payload.toString()) as Event;
  const { id: checkout, metadata, ...session } = event.data.object;
  const { rows: claimed } = await pool.query({
    name: "claim",
    text: `INSERT INTO webhook_inbox (provider, dedupe_key, event_type, payload, lease_token, lease_until)
      VALUES ('stripe', $1, $2, $3, gen_random_uuid(), now() + interval '2 minutes') RETURNING id`,
    values: [`id:${event.id}`, event.type, payload],
  });
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query({
      name: "processed",
      text: `UPDATE webhook_inbox SET status = 'processed', processed_at = now(), lease_token = NULL,
        lease_until = NULL WHERE id = $1`,
      values: [claimed[0].id],
    });
    const { rows: orders } = await client.query({
      name: "order",
      text: `INSERT INTO orders (user_id, provider, provider_checkout_id, provider_payment_id, sku_key,
          credits, amount, currency, status, paid_at)
        VALUES ($1, 'stripe', $2, $3, $4, $5, $6, $7, 'paid', now()) RETURNING id`,
      values: [
        metadata.user_id,
        checkout,
        session.payment_intent,
        metadata.sku_key,
        CREDITS,
        session.amount_total,
        session.currency,
      ],
    });
    const { rows: accounts } = await client.query({
      name: "balance",
      text: `INSERT INTO credit_accounts AS account (user_id, balance) VALUES ($1, $2)
        ON CONFLICT (user_id) DO UPDATE SET balance = account.balance + excluded.balance
        RETURNING balance`,
      values: [metadata.user_id, CREDITS],
    });
    await client.query({
      name: "lot",
      text: `INSERT INTO credit_transactions
          (user_id, type, amount, balance_after, source, remaining, reference)
        VALUES ($1, 'grant', $2, $3, $4, $2, $5)`,
      values: [
        metadata.user_id,
        CREDITS,
        accounts[0].balance,
        `order:stripe:${checkout}`,
        orders[0].id,
      ],
    });
    await client.query("COMMIT");
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
  return Response.json({ deduped: false });
}
