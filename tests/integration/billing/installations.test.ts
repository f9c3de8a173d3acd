import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { PACK, PLAN } from "../../fixtures/sold";
import { applyEvents, newSubscription, packCheckout, setUpBillingEnv } from "../../helpers/billing";
import { createUser, openLedger } from "../../helpers/credits";

setUpBillingEnv();
const ledger = openLedger();

const OWN = "localhost:3000";
const metadataOf = (userId: string, site: string | null, skuKey: string = PACK.skuKey) => ({
  userId,
  site,
  skuKey,
  planKey: null,
  period: null,
});

test.each([
  ["another's site", "other.test"],
  ["another port of this host", "localhost:3001"],
])(
  "an unknown user of %s is ignored, even with a pack that is not in our catalog",
  async (_, site) => {
    for (const skuKey of [PACK.skuKey, "credits_huge"])
      await applyEvents(
        ledger.db,
        packCheckout(randomUUID(), { metadata: metadataOf(randomUUID(), site, skuKey) }),
      );
    expect(await ledger.db.order.count()).toBe(0);
  },
);

test.each([
  ["our own site", OWN],
  ["no site, as before sites were written", null],
])("an unknown user of %s fails with a sentence", async (_, site) => {
  const event = packCheckout(randomUUID(), { metadata: metadataOf(randomUUID(), site) });
  await expect(applyEvents(ledger.db, event)).rejects.toThrow(
    /^no user here has the id \S+, for whom/,
  );
});

test("a site that moved to another host goes on with its own users", async () => {
  const userId = await createUser(ledger.db);
  const event = packCheckout(userId, { metadata: metadataOf(userId, "old.test") });
  await applyEvents(ledger.db, event);
  expect(await ledger.db.order.count({ where: { userId } })).toBe(1);
});

test("a known subscription is followed whatever its metadata says by now", async () => {
  const userId = await createUser(ledger.db);
  const subscription = newSubscription(userId);
  const [start, end] = [new Date(Date.now() - 1000), new Date(Date.now() + 86_400_000)];
  await applyEvents(ledger.db, subscription.changed(start, end));
  const metadata = { ...metadataOf(randomUUID(), "other.test"), planKey: PLAN.planKey };
  await applyEvents(
    ledger.db,
    subscription.changed(start, end, { metadata, status: "canceled", endedAt: new Date() }),
  );
  expect(await ledger.db.subscription.findFirst({ where: { userId } })).toMatchObject({
    status: "canceled",
  });
});
