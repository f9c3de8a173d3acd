import { setTimeout as wait } from "node:timers/promises";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { claimKey, releaseKey } from "~/models/idempotency-keys.server";

const WAIT_MS = 20_000;
const POLL_MS = 100;

/** Of changes, cancellations and their taking back: they end at the provider and in our row in one order. */
const SCOPE = "plan-change";

/**
 * Does what one user's requests do to their plans one after the other, over all processes: the second of
 * two clicks sees what the first one did. Null if the one before takes too long.
 */
export async function inTurn<T>(
  userId: string,
  work: () => Promise<T>,
  db: DatabaseOrTransaction = getDb(),
): Promise<T | null> {
  const turn = { userId, scope: SCOPE, key: "server:turn", requestHash: "" };
  for (const end = Date.now() + WAIT_MS; Date.now() < end; ) {
    const claim = await claimKey(turn, db);
    if (claim.status === "claimed") {
      try {
        return await work();
      } finally {
        await releaseKey(claim.held, db);
      }
    }
    await wait(POLL_MS);
  }
  return null;
}
