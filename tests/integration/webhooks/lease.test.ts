import { expect, test } from "vitest";
import {
  type Claim,
  claimDelivery,
  endClaimed,
  releaseFailed,
} from "~/models/webhooks/inbox.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { openLedger } from "../../helpers/credits";

setUpBillingEnv();
const ledger = openLedger();

let deliveries = 0;
const claimNew = async () => {
  deliveries += 1;
  const delivery = {
    provider: "stripe" as const,
    providerEventId: `evt_${deliveries}`,
    eventType: "ping",
    payload: new TextEncoder().encode("{}"),
  };
  const claim = await claimDelivery(delivery, ledger.db);
  if (!claim) throw new Error("a new delivery could not be claimed");
  return { claim, claimAgain: () => claimDelivery(delivery, ledger.db) };
};
const endLease = ({ id }: Claim) =>
  ledger.db.$executeRaw`UPDATE webhook_inbox SET lease_until = now() WHERE id = ${id}::uuid`;
const rowOf = ({ id }: Claim) => ledger.db.webhookDelivery.findUniqueOrThrow({ where: { id } });

test("while a lease is held there is no second claim; after it there is, and it counts as an attempt", async () => {
  const { claim, claimAgain } = await claimNew();
  expect(await claimAgain()).toBeNull();
  await endLease(claim);
  const second = await claimAgain();
  expect(second).toMatchObject({ id: claim.id });
  expect(second?.leaseToken).not.toBe(claim.leaseToken);
  expect(await rowOf(claim)).toMatchObject({ status: "processing", attempts: 2 });
});

const end = (claim: Claim) =>
  ledger.db.$transaction((transaction) => endClaimed({ ...claim, names: [] }, transaction));

test("an attempt that outlived its lease may neither apply effects nor finish the delivery", async () => {
  const { claim, claimAgain } = await claimNew();
  await endLease(claim);
  const second = await claimAgain();
  if (!second) throw new Error("no second claim");
  expect(await end(claim)).toBe(false);
  await releaseFailed({ ...claim, names: [], error: "late" }, ledger.db);
  expect(await rowOf(claim)).toMatchObject({ status: "processing", lastError: null });
  expect(await end(second)).toBe(true);
});

test("a processed delivery is never claimed again", async () => {
  const { claim, claimAgain } = await claimNew();
  expect(await end(claim)).toBe(true);
  await endLease(claim);
  expect(await claimAgain()).toBeNull();
});

test("each failure triples the wait, from one minute to at most twelve hours", async () => {
  const { claim, claimAgain } = await claimNew();
  const minutes: number[] = [];
  let current: Claim | null = claim;
  for (let attempt = 1; attempt <= 9 && current; attempt += 1) {
    await releaseFailed({ ...current, names: [], error: "no" }, ledger.db);
    const [row] = await ledger.db.$queryRaw<{ minutes: number }[]>`
      SELECT round(extract(epoch FROM next_attempt_at - now()) / 60)::int AS minutes
      FROM webhook_inbox WHERE id = ${claim.id}::uuid`;
    minutes.push(row?.minutes ?? -1);
    current = await claimAgain();
  }
  expect(minutes).toEqual([1, 3, 9, 27, 81, 243, 720, 720, 720]);
});
