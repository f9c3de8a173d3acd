import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { connectDb, type Database } from "~/db.server";
import { grantCredits } from "~/models/credits/grants.server";
import { installFakeClock } from "./fake-clock";
import { createTestDatabase } from "./test-database";

/** A client that waits a minute for its turn: crowds on one account meet a machine that stands still for seconds. */
export const connectPatiently = (url: string) => connectDb(url, 10, 60_000);

/**
 * Gives the test file its own database, with a client that is open while its tests run. `clock`: where the database's
 * time stands still.
 */
export function openLedger({ clock }: { clock?: Date } = {}): { db: Database; url: string } {
  const ledger = {} as { db: Database; url: string };
  beforeAll(async () => {
    ledger.url = await createTestDatabase();
    if (clock) await installFakeClock(ledger.url, clock);
    ledger.db = connectPatiently(ledger.url);
  });
  afterAll(() => ledger.db.$disconnect());
  return ledger;
}

/** Now; in a day's first minutes ten past midnight. Until then the day before isn't summed up, which tests of figures need. */
export function afterSummingUp(): Date {
  const now = new Date();
  return new Date(Math.max(now.getTime(), new Date(now).setUTCHours(0, 10, 0, 0)));
}

/** Creates a user and returns their id. */
export async function createUser(db: Database): Promise<string> {
  const { id } = await db.user.create({ data: { email: `${randomUUID()}@example.com` } });
  return id;
}

export const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;

export const inFuture = (milliseconds: number) => new Date(Date.now() + milliseconds);

/**
 * Gives the user a lot that is spendable for this many milliseconds, or for ever. Returns its id.
 */
export async function createLot(
  db: Database,
  userId: string,
  amount: number,
  lifetime: number | null = null,
): Promise<string> {
  const expiresAt = lifetime === null ? null : inFuture(lifetime);
  const lot = await grantCredits({ userId, amount, source: `test:${randomUUID()}`, expiresAt }, db);
  if (lot.status !== "granted") throw new Error("a new source was a duplicate");
  return lot.transactionId;
}

/** An amount that never expires, or one that is spendable for this many milliseconds. */
type NewLot = number | [amount: number, lifetime: number];

/** Creates a user with these lots, oldest first, and returns their id. */
export async function createUserWith(db: Database, ...lots: NewLot[]): Promise<string> {
  const userId = await createUser(db);
  for (const lot of lots) {
    const [amount, lifetime] = typeof lot === "number" ? [lot, null] : lot;
    await createLot(db, userId, amount, lifetime);
  }
  return userId;
}

/** Lets time pass for one user: moves all stored times of their credits into the past. */
export async function passTime(db: Database, userId: string, milliseconds: number): Promise<void> {
  const shift = `${milliseconds} milliseconds`;
  await db.$transaction([
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.$executeRaw`
      UPDATE credit_transactions
      SET expires_at = expires_at - ${shift}::interval, created_at = created_at - ${shift}::interval
      WHERE user_id = ${userId}::uuid`,
    db.$executeRaw`
      UPDATE credit_accounts SET next_expiry_at = next_expiry_at - ${shift}::interval
      WHERE user_id = ${userId}::uuid`,
  ]);
}

/** Ends the lot's time now, without updating its account, which may be locked. */
export async function endLot(db: Database, lotId: string): Promise<void> {
  await db.$transaction([
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.$executeRaw`
      UPDATE credit_transactions SET expires_at = clock_timestamp() WHERE id = ${lotId}::bigint`,
  ]);
}

/** Returns the credits left in each of the user's lots, oldest first. */
export async function listRemaining(db: Database, userId: string): Promise<(number | null)[]> {
  const lots = await db.creditTransaction.findMany({
    where: { userId, remaining: { not: null } },
    orderBy: { id: "asc" },
    select: { remaining: true },
  });
  return lots.map(({ remaining }) => remaining);
}
