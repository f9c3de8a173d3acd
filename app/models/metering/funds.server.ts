import { type Database, type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { issueGrantsOf } from "~/models/billing/periods/grant-run.server";
import { spendableCredits } from "~/models/credits/balance.server";
import { roomWithin } from "~/models/metering/limits.server";

/** The credits that a run may cost now. */
export interface Funds {
  /** Spendable. */
  balance: number;
  /** Credits left within the monthly limits, which may be below zero; null without a limit. */
  room: number | null;
}

interface Caller {
  accountId: string;
  /** The key of a program; null for a session. */
  apiKeyId: string | null;
}

/** Reads what a run of this caller may cost, at one instant. */
export async function getFunds(
  caller: Caller,
  db: DatabaseOrTransaction = getDb(),
): Promise<Funds> {
  const statement = Prisma.sql`
    SELECT ${spendableCredits(Prisma.sql`${caller.accountId}::uuid`)} AS balance,
      ${roomWithin(caller)} AS room`;
  const [funds] = await queryPrepared<Funds>("get_funds", statement, db);
  if (!funds) throw new Error("the funds gave no row");
  return funds;
}

/**
 * The same after the grants that are due, which a reservation issues before it says that credits are missing. They are
 * issued and undone: nothing changes.
 */
export async function getFundsWithDue(caller: Caller, db: Database = getDb()): Promise<Funds> {
  let funds: Funds | null = null;
  const undo = new Error("undone");
  await db
    .$transaction(async (transaction) => {
      await issueGrantsOf(caller.accountId, transaction, () => {});
      funds = await getFunds(caller, transaction);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return funds ?? getFunds(caller, db);
}
