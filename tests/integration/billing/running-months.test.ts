import type fc from "fast-check";
import { expect, test } from "vitest";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { getBalance } from "~/models/credits/balance.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { openLedger } from "../../helpers/credits";
import {
  histories,
  holdSteps,
  moneySteps,
  type Step,
  spendSteps,
} from "../../helpers/month-history";
import { openMonthWorld, START } from "../../helpers/month-world";
import { removeSales } from "../../helpers/remove-sales";
import { byRun, holdsFor, LAW_TIMEOUT } from "../../helpers/runs";
import { silenceLog } from "../../helpers/silence-log";

setUpBillingEnv();
silenceLog();
const RUNS = byRun({ few: 2, many: 100 });
const ledger = openLedger({ clock: START });

/** After each step the daily job grants what is due, and verify finds nothing. */
async function live(
  history: Step[],
  interval: "year" | "month",
  { isExact }: { isExact: boolean },
) {
  const world = await openMonthWorld(ledger.db, interval);
  const grant = () => runDueGrants({}, ledger.db);
  const balance = () => getBalance(world.userId, ledger.db);
  for (const [at, step] of history.entries()) {
    await world.take(step);
    await grant();
    expect(await grant()).toMatchObject({ failed: [], remaining: 0 });
    const faults: unknown[] = [];
    await auditLedger({ onFault: (fault) => faults.push(fault) }, ledger.db);
    expect({ at, step, faults }).toEqual({ at, step, faults: [] });
    if (isExact && world.isAllTold())
      expect({ at, step, balance: await balance() }).toEqual({ at, step, balance: world.worth() });
  }
  await world.tellHeld(grant);
  await grant();
  if (isExact) expect(await balance()).toBe(world.worth());
  const before = await balance();
  await world.tellAgain();
  await grant();
  expect(await balance()).toBe(before);
}

for (const interval of ["year", "month"] as const) {
  const law = (steps: fc.Arbitrary<Step>[], { isExact }: { isExact: boolean }) =>
    holdsFor(histories(steps), { runs: RUNS }, async (history) => {
      try {
        await live(history, interval, { isExact });
      } finally {
        await removeSales(ledger.db);
      }
    });
  const long = LAW_TIMEOUT;
  test(
    `${interval}: without spends the balance is what the parts of the running month give`,
    long,
    () => law(moneySteps, { isExact: true }),
  );
  test(`${interval}: events that come months late end in the same`, long, () =>
    law([...moneySteps, ...holdSteps], { isExact: true }),
  );
  test(
    `${interval}: with spends verify finds nothing at any step, and telling all again changes nothing`,
    long,
    () => law([...moneySteps, ...spendSteps, ...holdSteps], { isExact: false }),
  );
}
