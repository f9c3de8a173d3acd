import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import type { Database } from "~/db.server";
import { adjustCredits } from "~/models/credits/adjustments.server";
import { getBalance } from "~/models/credits/balance.server";
import { bookExpiries } from "~/models/credits/expiries.server";
import { grantCredits } from "~/models/credits/grants.server";
import { refundSpend } from "~/models/credits/refunds.server";
import { spendCredits } from "~/models/credits/spends.server";
import {
  apply,
  type Model,
  type Operation,
  type Outcome,
  spendableOf,
  totalOf,
} from "./credit-model";
import { HOUR, passTime } from "./credits";

/** The observable state of a user's credits, in one form for the database and the model. */
interface Observation {
  outcomes: Outcome[];
  /** The account's balance, and the spendable credits. */
  balances: (number | undefined)[];
  rows: string[];
  /** Source, credits left, hours left. */
  lots: [string, number | null, number | null][];
}

/** Runs the operation on the database. `at` is its start, and the same for two that run at once. */
export async function perform(
  { db, userId, at }: { db: Database; userId: string; at: number },
  operation: Operation,
): Promise<Outcome> {
  switch (operation.do) {
    case "grant": {
      const { amount, hours } = operation;
      const expiresAt = hours === null ? null : new Date(at + hours * HOUR);
      const source = `${userId}:${operation.source}`;
      return outcomeOf(await grantCredits({ userId, amount, source, expiresAt }, db));
    }
    case "adjust": {
      const { source, amount } = operation;
      const key = source.replace("adjustment:", `${userId}:`);
      return outcomeOf(await adjustCredits({ userId, amount, key, reason: "a test" }, db));
    }
    case "spend": {
      const { amount } = operation;
      const source = `${userId}:${operation.source}`;
      return outcomeOf(await spendCredits({ userId, amount, source }, db));
    }
    case "refund": {
      const amount = operation.amount ?? undefined;
      return outcomeOf(await refundSpend({ source: `${userId}:${operation.source}`, amount }, db));
    }
    case "expire":
      await bookExpiries(userId, db);
      return { status: "booked" };
    case "pass":
      await passTime(db, userId, operation.hours * HOUR);
      return { status: "passed" };
  }
}

const outcomeOf = (result: Outcome): Outcome =>
  result.balance === undefined
    ? { status: result.status }
    : { status: result.status, balance: result.balance };

interface Row {
  id: string;
  type: string;
  amount: number;
  source: string;
  remaining: number | null;
  hours: number | null;
  balance: number;
}

/** Returns the database's state after the operation. */
export async function observe(
  db: Database,
  userId: string,
  outcomes: Outcome[],
): Promise<Observation> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT id::text, type::text, amount, replace(source, user_id || ':', '') AS source, remaining,
      extract(epoch FROM expires_at - clock_timestamp())::float / 3600 AS hours, balance
    FROM credit_transactions JOIN credit_accounts USING (user_id)
    WHERE user_id = ${userId}::uuid ORDER BY credit_transactions.id`;
  const sources = new Map(rows.map(({ id, source }) => [id, source]));
  const nameOf = (source: string) =>
    source.replace(/^expiry:(\d+):/, (_, id) => `expiry:${sources.get(id)}:`);
  return {
    outcomes,
    balances: [rows[0]?.balance ?? 0, await getBalance(userId, db)],
    rows: rows.map(({ type, amount, source }) => `${type} ${amount} ${nameOf(source)}`),
    lots: rows
      .filter(({ remaining }) => remaining !== null)
      .map(({ source, remaining, hours }) => [source, remaining, hours && toHalfHours(hours)]),
  };
}

/** The model's clock stands still while an operation runs; `|| 0` turns -0 into 0. */
const toHalfHours = (hours: number) => Math.round(hours * 2) / 2 || 0;

/** Returns the state that the model expects in the database. */
function predict(model: Model, outcomes: Outcome[]): Observation {
  return {
    outcomes,
    balances: [totalOf(model), spendableOf(model)],
    rows: model.rows,
    lots: model.lots.map(({ source, remaining, expiresAt }) => [
      source,
      remaining,
      expiresAt === null ? null : expiresAt - model.now,
    ]),
  };
}

/**
 * Returns the model after these operations, in an order that explains the observation; fails if
 * none does.
 */
export function explain(model: Model, operations: Operation[], observed: Observation): Model {
  const orders =
    operations.length === 2
      ? [
          [0, 1],
          [1, 0],
        ]
      : [[0]];
  const predictions = orders.map((order) => {
    const after = structuredClone(model);
    const outcomes: Outcome[] = [];
    for (const index of order) {
      const operation = operations[index];
      if (operation) outcomes[index] = apply(after, operation);
    }
    return { after, observation: predict(after, outcomes) };
  });
  const match = predictions.find(({ observation }) => isDeepStrictEqual(observation, observed));
  if (match) return match.after;
  expect(observed).toEqual(predictions[0]?.observation);
  throw new Error("equal to vitest and not to Node");
}
