import { expect, test } from "vitest";
import { auditLedger } from "~/models/upkeep/audit.server";
import { measureSpends, seedLots } from "../../../scripts/workshop/bench/spend.bench";
import { createUser, openLedger } from "../../helpers/credits";

const ledger = openLedger();

test("spends and their baseline write the same kind of rows, and the books stay sound", async () => {
  const { db, url } = ledger;
  const userIds = [await createUser(db), await createUser(db)];
  await seedLots(url);
  const rates = await measureSpends({ url, userIds, milliseconds: 100, rounds: 1 });
  expect(rates.reference.low).toBeGreaterThan(0);
  expect(rates.measured.low).toBeGreaterThan(0);
  const spends = await db.creditTransaction.count({ where: { type: "deduction" } });
  expect(await db.creditAllocation.count()).toBe(spends);
  expect(await auditLedger({}, db)).toEqual({ accounts: 2, faults: 0 });
});
