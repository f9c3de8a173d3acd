import { CURRENCY, PACKS, PLANS } from "~/catalog";
import { connectDb, type Database } from "~/db.server";
import { makeFigureDays } from "~/models/figures/figure-days.server";
import {
  listCostlyAccounts,
  listMargins,
  listRunsOfProviders,
} from "~/models/figures/run-figures.server";
import { listRevenueMonths, listSignUpMonths } from "~/models/figures/sale-figures.server";
import {
  getSummedDays,
  listCreditMonths,
  listOutstanding,
  type SummedDays,
} from "~/models/figures/summed-credits.server";
import { withClient } from "../../lib/with-client";
import { type Bench, type Figure, inTurns, timed } from "./bench";
import type { BenchServer } from "./bench-server";

const ROWS = 10_000_000;
const ROWS_PER_PERSON = 100;
const DAYS = 365;
const ROUNDS = 5;
const MOST_MS = 300;

/** Measures each key figure on a ledger of a year, beside counting the ledger's rows. */
export const figuresBench: Bench = {
  summary: "each key figure on 10,000,000 ledger rows of a year, which may take 300 ms",
  async run({ server, scaled, onProgress }) {
    const people = scaled(ROWS / ROWS_PER_PERSON, 100);
    onProgress(`making ${people * ROWS_PER_PERSON} ledger rows of ${people} people`);
    const url = await seedYear(server, people);
    const db = connectDb(url);
    const summing = await timed(() => makeFigureDays({ limit: DAYS + 2 }, db));
    onProgress(`summed up a year of days in ${Math.round(summing / 1000)} s`);
    const days = await getSummedDays(db);
    if (!days) throw new Error("no day was summed up");
    const figures: Figure[] = [];
    for (const [what, read] of Object.entries(readersOf(db, days))) {
      const times = await inTurns({
        rounds: ROUNDS,
        measure: () => timed(read),
        reference: () => timed(() => db.$queryRaw`SELECT count(*) FROM credit_transactions`),
      });
      const goal = { measuredAtMost: MOST_MS };
      figures.push({ what, against: "counting the rows", unit: "ms", goal, ...times });
    }
    await db.$disconnect();
    await server.dropDatabase(url);
    return figures;
  },
};

function readersOf(db: Database, days: SummedDays): Record<string, () => Promise<unknown>> {
  return {
    "revenue by month": () => listRevenueMonths(days, db),
    "credits by month": () => listCreditMonths(days, db),
    "outstanding credits": () => listOutstanding(days.last, db),
    "runs by provider": () => listRunsOfProviders(days, db),
    "cost and margin": () => listMargins(days, db),
    "20 costly accounts, of 30 days": () => listCostlyAccounts(days.last, db),
    "sign-ups to first purchase": () => listSignUpMonths(days, db),
  };
}

/**
 * Fills a database with a year of the ledger up to yesterday. Row i is person i % people's; every tenth row of a person is
 * a lot, of a pack or of a paid month in turn, and the others are runs, which take from it. Of every fiftieth person's packs a
 * part was refunded.
 */
async function seedYear(server: BenchServer, people: number): Promise<string> {
  const url = await server.createDatabase();
  const rows = people * ROWS_PER_PERSON;
  const uuid = (kind: string, n: string) => `md5('${kind}' || (${n}))::uuid`;
  const time = `(date_trunc('day', now(), 'UTC') - interval '${DAYS} days' + (i * ${DAYS * 86_400}.0 / ${rows}) * interval '1 second')`;
  const row = `(SELECT i, i % ${people} AS person, i / ${people} AS nth FROM generate_series(0::bigint, ${rows - 1}) AS i) AS row`;
  const isLot = "nth % 10 = 0";
  const isOrder = "nth % 20 = 0";
  const isReturned = "person % 50 = 0";
  const lotRow = `((nth - nth % 10) * ${people} + person)`;
  const [pack, plan] = [PACKS[0], PLANS[0]];
  const statements = [
    `INSERT INTO users (id, email, created_at) SELECT ${uuid("person", "i")}, i || '@example.com',
       now() - interval '${DAYS} days' + i * interval '${(DAYS * 86_400) / people} seconds' * 0.9
     FROM generate_series(0::bigint, ${people - 1}) AS i`,
    `INSERT INTO credit_accounts (user_id, balance) SELECT ${uuid("person", "i")}, ${ROWS_PER_PERSON}
     FROM generate_series(0::bigint, ${people - 1}) AS i`,
    `INSERT INTO subscriptions (id, user_id, provider, provider_subscription_id, plan_key, period, status)
     SELECT ${uuid("subscription", "i")}, ${uuid("person", "i")}, 'stripe', 'sub_' || i, '${plan.planKey}', 'month', 'canceled'
     FROM generate_series(0::bigint, ${people - 1}) AS i`,
    `INSERT INTO orders (id, user_id, provider, provider_checkout_id, sku_key, credits, amount, amount_refunded, currency, status, paid_at)
     SELECT ${uuid("sale", "i")}, ${uuid("person", "person")}, 'stripe', 'cs_' || i, '${pack.skuKey}',
       100, ${pack.amount} * (100 + person % 25) / 100, CASE WHEN ${isReturned} THEN 100 ELSE 0 END,
       '${CURRENCY}', 'paid', ${time}
     FROM ${row} WHERE ${isOrder}`,
    `INSERT INTO payment_returns (provider, provider_return_id, kind, provider_payment_id, state, amount, charged_amount,
       currency, order_id, provider_at)
     SELECT 'stripe', 're_' || i, 'refund', 'pi_' || i, 'succeeded', 100, ${pack.amount}, '${CURRENCY}',
       ${uuid("sale", "i")}, ${time}
     FROM ${row} WHERE ${isOrder} AND ${isReturned}`,
    `INSERT INTO subscription_periods (id, subscription_id, provider, provider_payment_id, starts_at, ends_at,
       plan_key, period, amount, currency, paid_at)
     SELECT ${uuid("sale", "i")}, ${uuid("subscription", "person")}, 'stripe', 'in_' || i, ${time},
       ${time} + interval '1 month', '${plan.planKey}', 'month', ${plan.amounts.month} * (100 + person % 25) / 100, '${CURRENCY}', ${time}
     FROM ${row} WHERE ${isLot} AND NOT ${isOrder}`,
    `INSERT INTO credit_transactions (id, user_id, type, amount, balance_after, source, remaining, reference, created_at)
     SELECT i + 1, ${uuid("person", "person")},
       CASE WHEN ${isLot} THEN 'grant' ELSE 'deduction' END::credit_transaction_type,
       CASE WHEN ${isLot} THEN 100 ELSE -10 END, 0,
       CASE WHEN ${isOrder} THEN 'order:stripe:cs_' || i WHEN ${isLot} THEN 'subscription:stripe:' || i
         ELSE 'generation:' || ${uuid("run", "i")} END,
       CASE WHEN ${isLot} THEN 10 END,
       CASE WHEN ${isLot} THEN ${uuid("sale", "i")} ELSE ${uuid("run", "i")} END::text, ${time}
     FROM ${row}`,
    `INSERT INTO credit_allocations (transaction_id, lot_id, amount)
     SELECT i + 1, ${lotRow} + 1, -10 FROM ${row} WHERE NOT (${isLot})`,
    `INSERT INTO metered_runs (id, account_id, action, request_hash, unit_credits, unit_size, least_credits,
       units_reserved, units_used, credits_reserved, credits_charged, status, provider, model, cost_usd_micros,
       lease_until, deadline_at, created_at, settled_at)
     SELECT ${uuid("run", "i")}, ${uuid("person", "person")}, 'image', '', 10, 1, 10, 1, 1, 10, 10, 'settled',
       CASE i % 3 WHEN 0 THEN 'replicate' ELSE 'fal' END, 'model-' || i % 5, 3000, ${time}, ${time}, ${time}, ${time}
     FROM ${row} WHERE NOT (${isLot})`,
  ];
  await withClient(url, async (client) => {
    // All references are to rows made here; checking them row by row would take most of the time.
    await client.query("SET session_replication_role = replica");
    for (const statement of statements) await client.query(statement);
    await client.query("VACUUM ANALYZE");
  });
  return url;
}
