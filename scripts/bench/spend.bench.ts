import { randomUUID } from "node:crypto";
import type { Database } from "~/db.server";
import { grantCredits } from "~/models/credits/grants.server";
import { spendCredits } from "~/models/credits/spends.server";
import { withDatabase } from "../lib/with-database";
import type { Bench, Figure } from "./bench";

/** Compares spends, one at a time and ten at a time, with the cheapest possible charge. */
export const spendsBench: Bench = {
  summary: "spends over 100 accounts, compared with bare conditional updates of their balances",
  async run({ server, scaled, onProgress }) {
    const figures: Figure[] = [];
    for (const concurrency of [1, 10]) {
      onProgress(`spending, ${concurrency} at a time`);
      const databaseUrl = await server.createDatabase();
      const rates = await measureSpends({
        databaseUrl,
        accounts: scaled(100, 2),
        concurrency,
        secondsPerRound: scaled(3_000, 100) / 1000,
        rounds: 3,
      });
      await server.dropDatabase(databaseUrl);
      figures.push({
        what: `spends, ${concurrency} at a time`,
        measured: `${rates.spendsPerSecond}/s`,
        against: "bare updates",
        reference: `${rates.updatesPerSecond}/s`,
        ratio: rates.spendsPerSecond / rates.updatesPerSecond,
        goal: { atLeast: 0.4 },
      });
    }
    return figures;
  },
};

interface SpendBench {
  /** A throwaway database: ledger rows can't be deleted. */
  databaseUrl: string;
  /** Number of accounts that spends rotate over. With 1, all wait for the same row. */
  accounts: number;
  /** Number of concurrent spends. */
  concurrency: number;
  /** Length of one round. Rounds of both kinds alternate, so that both see the same machine load. */
  secondsPerRound: number;
  rounds: number;
}

interface SpendRates {
  spendsPerSecond: number;
  /** The cheapest possible charge: one conditional UPDATE of the balance by the same client. */
  updatesPerSecond: number;
}

/** Measures spends and bare updates of the same rows, each in its best round. */
export function measureSpends(bench: SpendBench): Promise<SpendRates> {
  return withDatabase(async (db) => {
    const userIds = await createAccounts(db, bench.accounts);
    const spend = (userId: string) =>
      spendCredits({ userId, amount: 1, source: `generation:${randomUUID()}` }, db);
    const update = (userId: string) =>
      db.$executeRaw`
        UPDATE credit_accounts SET balance = balance
        WHERE user_id = ${userId}::uuid AND balance >= 1`;

    const rates: SpendRates = { spendsPerSecond: 0, updatesPerSecond: 0 };
    for (let round = 0; round < bench.rounds; round += 1) {
      rates.updatesPerSecond = Math.max(rates.updatesPerSecond, await rate(update, userIds, bench));
      rates.spendsPerSecond = Math.max(rates.spendsPerSecond, await rate(spend, userIds, bench));
    }
    return rates;
  }, bench.databaseUrl);
}

const CREDITS_PER_LOT = 1_000_000;
const DAY = 24 * 60 * 60 * 1000;

/** Creates accounts. Each has one lot that expires soon, one that expires later and one that never does. */
async function createAccounts(db: Database, count: number): Promise<string[]> {
  const userIds: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const email = `${randomUUID()}@example.com`;
    const { id: userId } = await db.user.create({ data: { email }, select: { id: true } });
    for (const days of [10, 40, null]) {
      const expiresAt = days === null ? null : new Date(Date.now() + days * DAY);
      const source = `signup:${userId}:${days}`;
      await grantCredits({ userId, amount: CREDITS_PER_LOT, source, expiresAt }, db);
    }
    userIds.push(userId);
  }
  return userIds;
}

async function rate(
  work: (userId: string) => Promise<unknown>,
  userIds: string[],
  { concurrency, secondsPerRound }: SpendBench,
): Promise<number> {
  const start = performance.now();
  const end = start + secondsPerRound * 1000;
  let done = 0;
  const worker = async (_: unknown, index: number) => {
    for (let turn = index; performance.now() < end; turn += concurrency) {
      await work(userIds[turn % userIds.length] ?? "");
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return Math.round((done / (performance.now() - start)) * 1000);
}
