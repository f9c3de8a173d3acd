import { randomUUID } from "node:crypto";
import type pg from "pg";
import { CURRENCY, PLANS } from "~/catalog";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { addMonths } from "~/utils/add-months";
import { withClient } from "../../../scripts/lib/with-client";
import { storeImageRuns } from "../stored-image-runs";
import { bookStory, type LedgerRow } from "./ledger-rows";
import { STORY_PLAN } from "./plan-at-stripe";
import { readSamples } from "./samples";
import { saveStory } from "./save-story";
import { type Event, monthsOf, pictureAt, shapeOf, tellStory } from "./story";

const PROVIDER = "stripe";
const [{ planKey, amounts }] = PLANS;

/** Ids that pages of the account are reached by. */
export interface SeededAccount {
  userId: string;
  subscriptionId: string;
  orderId: string;
  checkoutId: string;
  generationId: string;
  failedGenerationId: string;
}

interface Cause {
  source: string;
  reference: string | null;
}

interface StoryOf {
  email: string;
  /** Keeps the story's pictures; null if they need not be stored. */
  store: ObjectStore | null;
  now?: Date;
}

/** Gives a new account the story's plan, orders, images and ledger. Pictures are the site's samples. */
export async function seedAccount(
  databaseUrl: string,
  { email, store, now = new Date() }: StoryOf,
): Promise<SeededAccount> {
  const samples = store && (await readSamples());
  return withClient(databaseUrl, async (client) => {
    await client.query("BEGIN");
    const { rows } = await client.query<{ id: string }>(
      `UPDATE users SET name = 'Ada Lovelace', email_verified_at = now(), created_at = $2
       WHERE email = $1 RETURNING id`,
      [email, monthsOf(now)[0]],
    );
    const userId = rows[0]?.id;
    if (!userId) throw new Error(`nobody has the address ${email}`);
    const events = tellStory(now);
    const causes = new Map<Event, Cause>();
    const subscriptionId = await insertPlan(client, { userId, now, events, causes });
    for (const event of events) {
      if (event.kind === "pack") causes.set(event, await insertOrder(client, userId, event));
      if (event.kind === "images") causes.set(event, await insertImages(client, email, event));
    }
    const ledger = bookStory(events, now);
    await insertLedger(client, { userId, ledger, causes });
    await client.query("COMMIT");
    if (samples) await saveStory(client, { databaseUrl, userId, store, samples });
    return { userId, subscriptionId, ...findPages(events, causes) };
  });
}

function findPages(events: Event[], causes: Map<Event, Cause>) {
  const lastOf = (isWanted: (event: Event) => boolean) => {
    const cause = causes.get(events.findLast(isWanted) as Event);
    if (!cause) throw new Error("the story lacks what a page shows");
    return cause;
  };
  const order = lastOf(({ kind }) => kind === "pack");
  return {
    orderId: order.reference ?? "",
    checkoutId: order.source.split(":").at(-1) ?? "",
    generationId:
      lastOf((event) => event.kind === "images" && !event.failed && event.count === 2).reference ??
      "",
    failedGenerationId:
      lastOf((event) => event.kind === "images" && event.failed === true).reference ?? "",
  };
}

interface Plan {
  userId: string;
  now: Date;
  events: Event[];
  causes: Map<Event, Cause>;
}

async function insertPlan(
  client: pg.Client,
  { userId, now, events, causes }: Plan,
): Promise<string> {
  const months = monthsOf(now);
  const running = months.at(-1) as Date;
  const ends = addMonths(running, 1);
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO subscriptions (user_id, provider, provider_customer_id, provider_subscription_id,
       plan_key, period, status, current_period_start, current_period_end, paid_until,
       grant_anchor_at, grants_issued, next_grant_at, provider_event_at, created_at)
     VALUES ($1, $2, $7, $8, $6, 'month', 'active', $3, $4, $4, $3, 1, $4,
       $3, $5) RETURNING id`,
    [
      ...[userId, PROVIDER, running, ends, months[0], planKey],
      ...[STORY_PLAN.customer, STORY_PLAN.subscription],
    ],
  );
  const subscriptionId = rows[0]?.id ?? "";
  for (const [index, event] of events.filter(({ kind }) => kind === "month").entries()) {
    if (event.kind !== "month") continue;
    const { rows: periods } = await client.query<{ id: string }>(
      `INSERT INTO subscription_periods (subscription_id, kind, provider, provider_payment_id,
         starts_at, ends_at, plan_key, period, amount, currency, anchor_offset, granted_for,
         granted_credits, created_at)
       VALUES ($1, 'paid', $2, $3, $4, $5, $8, 'month', $6, $9, 0,
         (extract(epoch FROM $5::timestamptz - $4::timestamptz) * 1000)::bigint, $7, $4)
       RETURNING id`,
      [
        subscriptionId,
        PROVIDER,
        `in_story_${index}`,
        event.at,
        event.endsAt,
        amounts.month,
        event.credits,
        planKey,
        CURRENCY,
      ],
    );
    causes.set(event, {
      source: `subscription:${PROVIDER}:${STORY_PLAN.subscription}:${event.at.toISOString()}`,
      reference: periods[0]?.id ?? null,
    });
  }
  await client.query(
    `UPDATE subscriptions SET grant_period_id =
       (SELECT id FROM subscription_periods WHERE subscription_id = $1 ORDER BY starts_at DESC LIMIT 1)
     WHERE id = $1`,
    [subscriptionId],
  );
  return subscriptionId;
}

async function insertOrder(
  client: pg.Client,
  userId: string,
  { at, skuKey, credits, amount }: Extract<Event, { kind: "pack" }>,
): Promise<Cause> {
  const id = randomUUID();
  const checkoutId = `cs_story_${at.getTime()}`;
  await client.query(
    `INSERT INTO orders (id, user_id, provider, provider_checkout_id, provider_payment_id, sku_key,
       credits, amount, currency, status, created_at, paid_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $10, 'paid', $9, $9)`,
    [
      id,
      userId,
      PROVIDER,
      checkoutId,
      `pi_story_${at.getTime()}`,
      skuKey,
      credits,
      amount,
      at,
      CURRENCY,
    ],
  );
  return { source: `order:${PROVIDER}:${checkoutId}`, reference: id };
}

async function insertImages(
  client: pg.Client,
  email: string,
  {
    at,
    prompt,
    picture,
    count,
    failed = false,
    fellBack = false,
  }: Extract<Event, { kind: "images" }>,
): Promise<Cause> {
  const images = failed
    ? []
    : Array.from({ length: count }, (_, index) => ({
        url: `/samples/${pictureAt(picture, index)}.svg`,
        persisted: false,
        fileId: null,
      }));
  const sql = async (text: string, values?: unknown[]) => (await client.query(text, values)).rows;
  const [id = ""] = await storeImageRuns({ sql }, email, [
    {
      prompt,
      status: failed ? "refunded" : "settled",
      n: count,
      size: shapeOf(picture),
      images,
      ...(failed ? {} : { provider: fellBack ? "replicate" : "fal" }),
      passedOver: fellBack ? ["fal"] : [],
      createdAt: new Date(at.getTime() - 9_000),
      settledAt: at,
    },
  ]);
  return { source: `generation:${id}`, reference: id };
}

interface Ledger {
  userId: string;
  ledger: LedgerRow[];
  causes: Map<Event, Cause>;
}

async function insertLedger(client: pg.Client, { userId, ledger, causes }: Ledger) {
  const ids: string[] = [];
  for (const row of ledger) {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO credit_transactions (user_id, type, amount, balance_after, source, remaining,
         expires_at, reference, created_at)
       VALUES ($1, $2::credit_transaction_type, $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
      [
        userId,
        row.type,
        row.amount,
        row.balanceAfter,
        sourceOf(row, causes, ids),
        row.remaining ?? null,
        row.expiresAt ?? null,
        row.type === "grant" || row.type === "deduction" ? causes.get(row.event)?.reference : null,
        row.at,
      ],
    );
    const id = rows[0]?.id ?? "";
    ids.push(id);
    for (const { lot, amount } of row.allocations) {
      await client.query("INSERT INTO credit_allocations VALUES ($1, $2, $3)", [
        id,
        ids[lot],
        amount,
      ]);
    }
  }
  await client.query(
    `UPDATE metered_runs SET balance_after = (
       SELECT balance_after FROM credit_transactions
       WHERE source IN ('generation:' || metered_runs.id, 'generation:' || metered_runs.id || ':refund')
       ORDER BY id DESC LIMIT 1
     ) WHERE account_id = $1`,
    [userId],
  );
  await client.query(
    `INSERT INTO credit_accounts (user_id, balance, next_expiry_at)
     SELECT $1::uuid, $2::int, min(expires_at) FROM credit_transactions
     WHERE user_id = $1::uuid AND remaining > 0
     ON CONFLICT (user_id) DO UPDATE
       SET balance = excluded.balance, next_expiry_at = excluded.next_expiry_at`,
    [userId, ledger.at(-1)?.balanceAfter ?? 0],
  );
}

function sourceOf(row: LedgerRow, causes: Map<Event, Cause>, ids: string[]): string {
  const source = causes.get(row.event)?.source;
  if (!source) throw new Error("a row of the story has no cause");
  if (row.type === "refund") return `${source}:refund`;
  return row.type === "expiry" ? `expiry:${ids[row.allocations[0]?.lot ?? 0]}:1` : source;
}
