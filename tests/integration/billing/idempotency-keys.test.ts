import { expect, test } from "vitest";
import {
  claimKey,
  type HeldKey,
  type IdempotentRequest,
  keepAnswer,
  releaseKey,
} from "~/models/idempotency-keys.server";
import { createUser, DAY, inFuture, openLedger } from "../../helpers/credits";

const ledger = openLedger();

const request = async (): Promise<IdempotentRequest> => ({
  userId: await createUser(ledger.db),
  scope: "checkout",
  key: "key",
  requestHash: "hash",
});

async function claim(wanted: IdempotentRequest): Promise<HeldKey> {
  const claimed = await claimKey(wanted, ledger.db);
  if (claimed.status !== "claimed") throw new Error(claimed.status);
  return claimed.held;
}

const keep = (held: HeldKey, answer: string, until: Date | null = null) =>
  keepAnswer({ held, answer: { answer }, until }, ledger.db);

/** Ends the lease and, where there is one, the time of the answer. */
const endTimes = ({ userId }: IdempotentRequest) =>
  ledger.db.idempotencyKey.updateMany({
    where: { userId },
    data: { leaseUntil: inFuture(-1000), answerUntil: inFuture(-1000) },
  });

test("a request whose lease is over can neither settle nor release the next one's key", async () => {
  const wanted = await request();
  const slow = await claim(wanted);
  await endTimes(wanted);
  const next = await claim(wanted);

  await releaseKey(slow, ledger.db);
  expect(await claimKey(wanted, ledger.db)).toEqual({ status: "in_progress" });
  expect(await keep(slow, "slow")).toBe(false);
  expect(await claimKey(wanted, ledger.db)).toEqual({ status: "in_progress" });

  expect(await keep(next, "next")).toBe(true);
  expect(await keep(slow, "slow")).toBe(false);
  await releaseKey(slow, ledger.db);
  expect(await claimKey(wanted, ledger.db)).toEqual({
    status: "settled",
    answer: { answer: "next" },
  });
});

test("of a slow request and the one that took over its key, settling at once, the second decides", async () => {
  for (let round = 0; round < 20; round += 1) {
    const wanted = await request();
    const slow = await claim(wanted);
    await endTimes(wanted);
    const next = await claim(wanted);
    const [kept, , decided] = await Promise.all([
      keep(slow, "slow"),
      releaseKey(slow, ledger.db),
      keep(next, "next"),
    ]);
    expect([kept, decided]).toEqual([false, true]);
    expect(await claimKey(wanted, ledger.db)).toMatchObject({ answer: { answer: "next" } });
  }
});

test("an answer is replayed until its time is over; then one of many requests holds the key", async () => {
  const wanted = await request();
  await keep(await claim(wanted), "first", inFuture(DAY));
  expect(await claimKey(wanted, ledger.db)).toMatchObject({ status: "settled" });

  await endTimes(wanted);
  const other = { ...wanted, requestHash: "other" };
  expect(await claimKey(other, ledger.db)).toEqual({ status: "mismatch" });
  const claims = await Promise.all([1, 2, 3, 4, 5].map(() => claimKey(wanted, ledger.db)));
  expect(claims.map(({ status }) => status).sort()).toEqual([
    "claimed",
    ...Array.from({ length: 4 }, () => "in_progress"),
  ]);

  // Reconciliation still finds the checkout that the old answer names.
  const rows = await ledger.db.idempotencyKey.findMany({
    where: { userId: wanted.userId },
    select: { answer: true },
  });
  expect(rows.map(({ answer }) => answer)).toEqual(
    expect.arrayContaining([{ answer: "first" }, null]),
  );
  expect(rows).toHaveLength(2);
});
