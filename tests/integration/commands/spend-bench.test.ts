import { expect, test } from "vitest";
import { auditLedger } from "~/models/credits/audit.server";
import { measureSpends } from "../../../scripts/bench/spend.bench";
import { openLedger } from "../../helpers/credits";

const ledger = openLedger();

test("the measurement of spends spends for real, and leaves sound books", async () => {
  const { db, url } = ledger;
  const rates = await measureSpends({
    databaseUrl: url,
    accounts: 2,
    concurrency: 4,
    secondsPerRound: 0.1,
    rounds: 1,
  });
  expect(rates.updatesPerSecond).toBeGreaterThan(0);
  expect(rates.spendsPerSecond).toBeGreaterThan(0);
  const spends = await db.creditTransaction.count({ where: { type: "deduction" } });
  expect(spends).toBeGreaterThanOrEqual(4);
  expect(await auditLedger({}, db)).toEqual({ accounts: 2, faults: 0 });
});
