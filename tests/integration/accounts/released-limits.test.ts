import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { consumeRateLimits, releaseRateLimits } from "~/models/rate-limits.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { openLedger } from "../../helpers/credits";
import { holdTransaction, untilWaiting } from "../../helpers/held-transaction";

setUpBillingEnv({ RATE_LIMIT_SCALE: "1" });
const ledger = openLedger();

const ruleOf = (key: string) => ({ key, limit: 100, windowSeconds: 60 });
const countOf = async (key: string) =>
  (await ledger.db.rateLimit.findUnique({ where: { key } }))?.count ?? null;

test("a row whose last use is taken back is removed, and others keep their count", async () => {
  const [once, twice] = [randomUUID(), randomUUID()];
  await consumeRateLimits([ruleOf(once), ruleOf(twice)], ledger.db);
  await consumeRateLimits([ruleOf(twice)], ledger.db);
  await releaseRateLimits([once, twice, randomUUID()], ledger.db);
  expect([await countOf(once), await countOf(twice)]).toEqual([null, 1]);
});

test("uses that are refused leave no row", async () => {
  const [full, fresh] = [randomUUID(), randomUUID()];
  const rule = { ...ruleOf(full), limit: 1 };
  await consumeRateLimits([rule], ledger.db);
  const { status } = await consumeRateLimits([rule, ruleOf(fresh)], ledger.db);
  expect(status).toBe("limited");
  expect([await countOf(full), await countOf(fresh)]).toEqual([1, null]);
});

test.each([
  ["counted", 1, 1],
  ["taken back", -1, null],
])(
  "a use that is %s while another is taken back is neither lost nor doubled",
  async (_, by, left) => {
    const { db } = ledger;
    const key = randomUUID();
    const uses = by === 1 ? 1 : 2;
    for (let use = 0; use < uses; use++) await consumeRateLimits([ruleOf(key)], db);
    const held = await holdTransaction(
      db,
      (transaction) =>
        transaction.$executeRaw`UPDATE rate_limits SET count = count + ${by} WHERE key = ${key}`,
    );
    const released = releaseRateLimits([key], db);
    await untilWaiting(db);
    await held.commit();
    await released;
    expect(await countOf(key)).toBe(left);
  },
);
