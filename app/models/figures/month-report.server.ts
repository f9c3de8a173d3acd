import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import {
  type CreditFlow,
  MOVEMENTS,
  sumBalances,
  sumCreditFlow,
} from "~/models/figures/credit-flow.server";
import type { Month } from "~/models/figures/months";
import { type Outstanding, sumOutstanding } from "~/models/figures/outstanding.server";
import { listRevenue, type Revenue } from "~/models/figures/revenue.server";

/** A month for the accountant. Money is in minor units, by currency, and never added across. */
export interface MonthReport {
  month: string;
  /** Credits. The flow lies between the two; what goes is negative. */
  credits: { opening: number; closing: number } & CreditFlow;
  revenue: Revenue[];
  /** At the end of the month. */
  outstanding: Outstanding[];
  /** Sentences that say where the figures contradict each other. Empty if all adds up. */
  differences: string[];
}

/**
 * The month's figures, from one snapshot of the rows themselves, whatever summaries hold. Three ways to the closing
 * must meet: the balances after each account's last row, the opening with every row of the month, and the rest of every
 * lot.
 */
export function reportMonth(month: Month, db: Database = getDb()): Promise<MonthReport> {
  return db.$transaction(
    async (snapshot) => {
      await snapshot.$executeRaw`SET TRANSACTION READ ONLY`;
      return readMonth(month, snapshot);
    },
    { isolationLevel: "RepeatableRead", timeout: LONGEST_MS },
  );
}

const LONGEST_MS = 60 * 60 * 1000;

async function readMonth(
  { name, from, to }: Month,
  snapshot: DatabaseOrTransaction,
): Promise<MonthReport> {
  const opening = await sumBalances(from, snapshot);
  const closing = await sumBalances(to, snapshot);
  const flow = await sumCreditFlow({ from, to }, snapshot);
  const outstanding = await sumOutstanding(to, snapshot);
  const revenue = await listRevenue({ from, to }, snapshot);
  const credits = { opening, ...flow, closing };
  const differences = findDifferences(credits, outstanding);
  return { month: name, credits, revenue, outstanding, differences };
}

function findDifferences(
  { opening, closing, ...flow }: MonthReport["credits"],
  outstanding: readonly Outstanding[],
): string[] {
  const differences: string[] = [];
  const moved = MOVEMENTS.reduce((sum, movement) => sum + flow[movement], opening);
  if (moved !== closing)
    differences.push(
      `the opening and the month's rows make ${moved} credits, the balances after the last rows are ${closing}`,
    );
  const held = outstanding.reduce((sum, { credits }) => sum + credits, 0);
  if (held !== closing)
    differences.push(
      `the lots held ${held} credits, the balances after the last rows are ${closing}`,
    );
  for (const { product, credits } of outstanding)
    if (credits < 0) differences.push(`the lots of ${product} held ${credits} credits`);
  return differences;
}
